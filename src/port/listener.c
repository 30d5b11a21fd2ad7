/* Listeners of their own and places of a shared address, alike (listener.h). */
#include "port/listener.h"

#include "port/tcp_socket.h"

int tern__listener_join(tern__unix_listener *listener, tern_listener *share, int wanted) {
    int place = tern__share_join(share, wanted);
    if (place < 0) return place;
    *listener =
        (tern__unix_listener){.fd = tern__share_fd(share, (uint32_t)place), .share = share, .place = (uint32_t)place};
    return place;
}

int tern__listener_accept(const tern__unix_listener *listener) {
    if (listener->share) return tern__share_accept(listener->share, listener->place);
    return tern__socket_accept(listener->fd);
}

void tern__listener_close(tern__unix_listener *listener) {
    if (listener->share)
        tern__share_leave(listener->share, listener->place);
    else
        tern__tcp_listener_close(listener);
}
