/* The transitions of a stream's three states, one row per event. What a row does not name stays as it was. */
#include "engine/stream_state.h"

static const uint8_t next_call[TERN__N_EVS][TERN__N_STREAM_CALL_PHASES] = {
    [TERN__EV_RELEASED] = {[TERN__STREAM_CALL_UNRELEASED] = TERN__STREAM_CALL_WAITING},
    [TERN__EV_HAS_PLACE] = {[TERN__STREAM_CALL_WAITING] = TERN__STREAM_CALL_OPENING},
    [TERN__EV_OPENED] = {[TERN__STREAM_CALL_OPENING] = TERN__STREAM_CALL_OPEN},
    [TERN__EV_CALL_FINISHED] =
        {[TERN__STREAM_CALL_OPENING] = TERN__STREAM_CALL_ENDING, [TERN__STREAM_CALL_OPEN] = TERN__STREAM_CALL_ENDING},
    [TERN__EV_LEFT_PLACE] =
        {[TERN__STREAM_CALL_OPENING] = TERN__STREAM_CALL_LEAVING, [TERN__STREAM_CALL_OPEN] = TERN__STREAM_CALL_LEAVING},
    [TERN__EV_DROPPED] = {[TERN__STREAM_CALL_UNRELEASED] = TERN__STREAM_CALL_ENDED,
                          [TERN__STREAM_CALL_WAITING] = TERN__STREAM_CALL_ENDED,
                          [TERN__STREAM_CALL_OPENING] = TERN__STREAM_CALL_ENDED,
                          [TERN__STREAM_CALL_OPEN] = TERN__STREAM_CALL_ENDED,
                          [TERN__STREAM_CALL_ENDING] = TERN__STREAM_CALL_ENDED,
                          [TERN__STREAM_CALL_LEAVING] = TERN__STREAM_CALL_ENDED},
};

static const uint8_t next_send[TERN__N_EVS][TERN__N_SEND_STATES] = {
    [TERN__EV_FINISHED] = {[TERN__SEND_SEND] = TERN__SEND_SIZE_KNOWN},
    [TERN__EV_LAST_SENT] = {[TERN__SEND_SIZE_KNOWN] = TERN__SEND_DATA_SENT},
    [TERN__EV_ALL_RECEIVED] = {[TERN__SEND_DATA_SENT] = TERN__SEND_DATA_RECVD},
    [TERN__EV_DROPPED] = {[TERN__SEND_SEND] = TERN__SEND_RESET,
                          [TERN__SEND_SIZE_KNOWN] = TERN__SEND_RESET,
                          [TERN__SEND_DATA_SENT] = TERN__SEND_RESET},
};

static const uint8_t next_recv[TERN__N_EVS][TERN__N_RECV_STATES] = {
    [TERN__EV_LAST_CAME] = {[TERN__RECV_RECV] = TERN__RECV_SIZE_KNOWN},
    [TERN__EV_ALL_CAME] = {[TERN__RECV_SIZE_KNOWN] = TERN__RECV_DATA_RECVD},
    [TERN__EV_NOT_TAKEN] = {[TERN__RECV_RECV] = TERN__RECV_REFUSED, [TERN__RECV_SIZE_KNOWN] = TERN__RECV_REFUSED},
    [TERN__EV_DROPPED] = {[TERN__RECV_RECV] = TERN__RECV_RESET,
                          [TERN__RECV_SIZE_KNOWN] = TERN__RECV_RESET,
                          [TERN__RECV_REFUSED] = TERN__RECV_RESET},
};

void tern__stream_states_step(tern__stream_states *states, tern__stream_event event) {
    uint8_t call = next_call[event][states->call];
    uint8_t send = next_send[event][states->send];
    uint8_t recv = next_recv[event][states->recv];
    if (call) states->call = (tern__stream_call_phase)call;
    if (send) states->send = (tern__send_state)send;
    if (recv) states->recv = (tern__recv_state)recv;
}
