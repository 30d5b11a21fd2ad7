/* Streams that wait for their clients at the server: for how long, and which of them give when others need room. */
#ifndef TERN_ENGINE_STREAM_WAIT_H
#define TERN_ENGINE_STREAM_WAIT_H

#include "engine/peers.h"
#include "engine/stream_record.h"

#define TERN__UNGRANTED (30 * TERN_SEC) /* what the handler has written waits for room at the client */

/* The stream's clock starts when it begins to wait for its client: to be opened (for TERN__STILL), for room (for
 * TERN__UNGRANTED), or for what was sent to be read. What the client does for the stream starts it anew: anything
 * before it is opened, then whatever comes to a kilobyte. */
void tern__stream_start_clock(tern__stream *st, tern_time now);

/* When the client has been waited for long enough; TERN__NEVER: it is not waited for. */
tern_time tern__stream_clock_due(tern__stream *st, tern_time now);

/* The one of a few streams of the peer with something to send that has waited the longest, a second at least, or of
 * which nothing that has arrived was taken for as long; or NULL.
 * Whoever asks again at once gets one again. */
tern__stream *tern__stream_stalled(tern__peer *peer, tern_time now);

#endif
