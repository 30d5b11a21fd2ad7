#!/usr/bin/env python3
"""Breaks the engine on purpose, one rule at a time, and sees which test notices, and how fast.

usage: scripts/mutants.py BUILD_DIR [NAME...]

       scripts/mutants.py --check

A mutant is one file of src/engine, src/port, src/rpc, src/mem or src/base, with a piece of text replaced, compiled
aside and linked before libtern: the sources stay as they are. Of a header both ways (direct.c, client.c, server.c), what
opens and closes the short one (admission.c, drain.c, engine.c), and the random lives' calls are compiled with it. The
random lives of clusters are tried first (tests/sim/test_cluster), then the random lives of both ways
(tests/sim/test_ways) and the other tests of the engine. A mutant of a port is tried by the tests of that port instead
(tests/unit/port/test_PORT*, and those of shm's borrowing), one of src/rpc, src/mem or src/base by the tests of that
folder (tests/unit/rpc and so on).
A mutant that no test notices is a hole in the tests; the exit status says whether there is one. --check builds
nothing: the exit status says whether the texts of all mutants fit the sources.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHERS = ["tests/sim/test_ways", "tests/sim/test_failure", "tests/sim/test_scenarios", "tests/sim/test_trace", "tests/fault/test_fault_engine",
          "tests/unit/rpc/test_words", "tests/unit/rpc/test_borrow"]
BEYOND = {"shm": ["tests/unit/rpc/test_borrow"]}  # what else tests a port
SECONDS = 180
CALLS = "tests/sim/model_calls.c"
USERS_OF_HEADERS = ["direct.c", "client.c", "server.c", "admission.c", "drain.c", "engine.c"]

# Name: what is broken, in which file (of src/engine unless a folder of src is named), which text, what replaces it.
MUTANTS = {
    "old-request-runs": ("an older request runs again", "server.c",
                         "ahead < 0 || (ahead > 0 && h->pkt > first)", "ahead < -800 || (ahead > 0 && h->pkt > first)"),
    "repeat-runs": ("a repeated request runs again, the short way", "direct.c",
                    "(int32_t)(req - ss->s.reqs[i]) <= 0", "(int32_t)(req - ss->s.reqs[i]) < 0"),
    "repeat-runs-long": ("a repeated request runs again while it runs", "server.c",
                         "    if (tern__request_is_under_way(request))\n        credit_return(ss, request, h->pkt, h->attempt);",
                         "    if (tern__request_is_under_way(request))\n"
                         "        run(ss, request, request->buffer, ss->s.engine->now);"),
    "any-response": ("a response of another request is taken", "client.c",
                     "if (!is_active(cs, i) || cs->s.reqs[i] != h->req) return false;",
                     "if (!is_active(cs, i)) return false;"),
    "any-response-short": ("the same, the short way", "direct.c", "!tern__slot_usual(&cs->slots[i], w->req)",
                           "!cs->slots[i].n_out || cs->slots[i].win"),
    "pong-forgets": ("a PONG is taken to be about responses that came after the PING", "report.c",
                     "cs->unreported &= (uint8_t)~cs->reporting;", "cs->unreported = 0;"),
    "pong-dropped": ("a PONG that finds a reliable link full is not sent later", "control.c",
                     "tern__session_mark_unsent(s, TERN__UNSENT_PONG, sent);", "tern__session_mark_unsent(s, TERN__UNSENT_PONG, true);"),
    "unfair-retry": ("who got something through a full link is the first again", "engine.c",
                     "        tern__list_append(&behind, node);", "        tern__list_append(n_sent ? &untried : &behind, node);"),
    "unparked": ("a route that has room is not told to those who wait for that", "control.c",
                 "        if (s->parked && !tern__list_empty(&s->cold->stalled)) unpark(s);\n", "        (void)s;\n"),
    "retry-all": ("sessions of a route that has just refused another are tried, too", "engine.c",
                  "        if (link == full->link && ", "        if (!link && "),
    "retry-always": ("full links are tried again in every tick", "engine.c", "    if (now < e->stall_at) return;\n", ""),
    "slots-kept": ("a session keeps its slots for ever", "client.c",
                   "    tern__client_give_slots(cs);\n    if (cs->slots) tern__work_set(", "    if (cs->slots) tern__work_set("),
    "cut-by-plan": ("a window is counted from the plan, and its message cut by what was retained of it", "client.c",
                    "    uint32_t n_pkts = tern__n_pkts(out->size, tern__out_cut(&cs->s, out));\n"
                    "    tern__win *win = n_pkts > 1 ? tern__slab_take(&cs->s.engine->kinds.wins) : NULL;\n    if (n_pkts > 1 && !win) {",
                    "    uint32_t n_pkts = tern__n_pkts(out->size, tern__plan_cut(&cs->s, plan));\n"
                    "    tern__win *win = n_pkts > 1 ? tern__slab_take(&cs->s.engine->kinds.wins) : NULL;\n    if (n_pkts > 1 && !win) {"),
    "cut-too-long": ("messages are cut in place though their copied bytes are no short head", "message.c",
                     "n_segs < path->max_posts / 2 && head_bytes <= TERN__SHORT_HEAD", "n_segs < path->max_posts / 2"),
    "misplaced": ("a response packet is put into the wrong place", "response.c",
                  "tern__payload_copy(pkt, header_bytes, slot->in + at);",
                  "tern__payload_copy(pkt, header_bytes, slot->in + (at ? at - slot->win->cut : 0));"),
    "whole-too-early": ("a request counts as whole with its last packet", "server.c",
                        "    bool whole = request->base == request->n_pkts, last",
                        "    bool whole = h->pkt + 1 == request->n_pkts, last"),
    "aliased": ("a request is let go before the response that aliases it is sent", "server.c",
                "    request->status = TERN_STATUS_OK;\n    return true;",
                "    request->status = TERN_STATUS_OK;\n    tern__request_release(request);\n    return true;"),
    "no-limbo": ("a message is freed though the link may still read it", "message.c",
                 "if (out->link->holds_refs || !out->posted)", "if (true)"),
    "backlog-forgotten": ("calls in the backlog of a lost session do not end", "client.c",
                          "tell_end_of_waiting(cs->s.engine, TERN__CONTAINER(list->next, tern__out, node), status);",
                          "tern__out_release(cs->s.engine, TERN__CONTAINER(list->next, tern__out, node));"),
    "ends-twice": ("a call that its deadline ended ends twice", "client.c",
                   "        complete(cs, i, TERN_STATUS_DEADLINE_EXCEEDED, NULL, now);",
                   "        if (slot->phase != TERN__SLOT_STREAM)\n"
                   "            tern__call_tell(cs->s.engine, slot->call, NULL, TERN_STATUS_DEADLINE_EXCEEDED, NULL, false);\n"
                   "        complete(cs, i, TERN_STATUS_DEADLINE_EXCEEDED, NULL, now);"),
    "no-deadline-in-backlog": ("a call waits in the backlog beyond its deadline", "client.c",
                               "    if (cs->s.ccold->backlog_deadline <= now) expire_backlog(cs, now);",
                               "    if (cs->s.ccold->backlog_deadline <= now) cs->s.ccold->backlog_deadline = TERN__NEVER;"),
    "deadline-unit": ("a deadline travels in the wrong unit", "slots.c",
                      "(slot->deadline - now + 999) / 1000", "(slot->deadline - now + 999) / 1024"),
    "no-timer": ("what waited for a full link is not timed", "client.c",
                 "    tern__work_lower(cs, slot_due(cs, slot));\n    return true;", "    return true;"),
    "no-retransmission": ("what is lost is not sent again", "client.c",
                          "        resend_some(cs, slot, now);\n    } else if (send_pkts(cs, slot, 0, 1, now)) {",
                          "        (void)resend_some;\n    } else if (0) {"),
    "no-tag": ("a packet's tag is not looked at", "dispatch.c",
               "((h->flags & TERN__PKT_TAG) && h->tag == s->rx_tag)", "true"),
    "no-tag-short": ("the same, the short way", "direct.c",
                     "tern__load64(p + 24) != s->rx_tag", "tern__load64(p + 24) == 1"),
    "crowd-once": ("with many sessions only the first packet of a run is handled", "direct.c",
                   "    look_first(e, pkt, pkt->n);\n",
                   "    tern__rx_packet one = *pkt;\n    one.n = 1;\n    pkt = &one;\n    look_first(e, pkt, pkt->n);\n"),
    "crowd-lines": ("with many sessions a run of lines is read as one of equal packets", "direct.c",
                    "    if (!pkt->head_len)\n        rx_lines(e, pkt, pkt->n", "    if (0)\n        rx_lines(e, pkt, pkt->n"),
    "ahead-nobody": ("the replies of a session that is not there are prefetched", "direct.c",
                     "    if (s && s->role == TERN__SERVER && i <", "    if (s->role == TERN__SERVER && i <"),
    "equal-dense": ("packets of a run of equal ones lie side by side whatever the stride", "direct.c",
                    "            p += pkt->stride;\n", "            p += pkt->head_len;\n"),
    "equal-short-last": ("the last packet of a run of equal ones is dropped", "direct.c",
                         "    uint32_t left = pkt->n;\n", "    uint32_t left = pkt->n - (pkt->n > 1);\n"),
    "lines-one-length": ("packets in lines are as long as the first", "direct.c",
                         "        uint64_t len = tern__run_length(p);", "        uint64_t len = tern__run_length(pkt->head);"),
    "lines-last": ("the last packet of a run of lines is dropped", "direct.c",
                   "        uint64_t len = tern__run_length(p);\n",
                   "        uint64_t len = tern__run_length(p);\n        if (left == 1 && pkt->n > 1) break;\n"),
    "fleeting-last": ("the last packet of a run of lines in fleeting memory is not copied", "direct.c",
                      "    for (uint32_t k = 0; k < pkt->n; k++) p += tern__run_lines_bytes(",
                      "    for (uint32_t k = 0; k < pkt->n - (pkt->n > 1); k++) p += tern__run_lines_bytes("),
    "fleeting-kept": ("packets in fleeting memory are not copied", "direct.c",
                      "        if (pkts->fleeting)\n            rx_fleeting(e, pkts);\n        else\n", ""),
    "batch-first": ("of several descriptors only the first is received", "direct.c",
                    "    if (n == 1 && !pkts->fleeting)\n", "    if (!pkts->fleeting)\n"),
    "line-any-peer": ("a packet in a line may speak for another peer's session", "direct.c",
                      " > TERN__LAST_COMMON_FORMAT || s->run != back) return false;", " > TERN__LAST_COMMON_FORMAT) return false;"),
    "run-any-peer": ("a packet may speak for another peer's session where a run leads back", "direct.c",
                     "    if (reliable && pkt->back) return s->run == pkt->back;", "    if (pkt->back) return true;"),
    "lines-short": ("a record too short for a header is said to be a line like others", "port/shm_ring.c",
                    "        if (lines == 1 && !tern__ring_is_line_bytes(word >> 32 & 65535)) short_ones = 1;\n", ""),
    "run-draining": ("a session whose server goes away keeps its run", "engine_record.h",
                     "(cs->draining || cs->slot_mask != UINT8_MAX)", "(cs->slot_mask != UINT8_MAX)"),
    "number-short": ("a packet sent the short way has the number of the one before", "direct.c",
                     "(uint64_t)++s->tx_number << 32", "(uint64_t)s->tx_number << 32"),
    "line-method": ("a message in a line has the wrong method", "shortest.h",
                    "req, x, raw.data", "req, x + 1, raw.data"),
    "lines-too-long": ("a run of lines takes a packet of more lines than it may", "link.h",
                       "bytes > room || packet_bytes > TERN__RUN_MAX_PACKET", "bytes > room"),
    "packed-length": ("the length in a packed run is one too many", "link.h",
                      "    tern__store32(place, packet_bytes);", "    tern__store32(place, packet_bytes + 1);"),
    "packed-overfull": ("a packed run takes a packet for whose length it has no room", "link.h",
                        "    if (packet_bytes + sizeof(uint32_t) > room) return NULL;",
                        "    if (packet_bytes > room) return NULL;"),
    "equal-any-length": ("a run of equal packets takes one of another length", "link.h",
                         "run->packet_bytes != packet_bytes || ", ""),
    "equal-any-route": ("a run of equal packets takes one to another peer", "link.h",
                        " || !tern__route_eq(&run->route, route)", ""),
    "equal-untagged": ("a packet in a run of equal ones has no tag", "direct.c",
                       "tern__store64(place + 24, s->tx_tag);", "tern__store64(place + 24, 0);"),
    "ring-take-short": ("of a record of several lines the last is not read in a batch", "port/shm_ring.c",
                        "for (uint32_t k = 1; k < lines; k++) memcpy(to + k * LINE, line + k * LINE, LINE);",
                        "for (uint32_t k = 1; k + 1 < lines; k++) memcpy(to + k * LINE, line + k * LINE, LINE);"),
    "ring-write-short": ("of a record of several lines the last is not written in a batch", "port/shm_ring.c",
                         "            memcpy(to, records, LINE);\n", "            if (k + 1 < lines) memcpy(to, records, LINE);\n"),
    "waiting-untold": ("ticks do not look at sessions that found their link full", "control.c",
                       "    tern__wait_in(e, &e->stalled, &s->cold->stalled);\n    s->parked = false;\n}\n\nbool",
                       "    tern__list_append(&e->stalled, &s->cold->stalled);\n    s->parked = false;\n}\n\nbool"),
    "soon-untold": ("ticks do not look at sessions that are to send in the next one", "control.c",
                    "tern__wait_in(e, &e->soon, ", "tern__list_append(&e->soon, "),
    "wheel-untold": ("ticks do not look at the wheel", "pace.c", "        e->has_waiting = true;\n", ""),
    "ring-uncleared": ("what lies behind a record of several lines may look like the next one", "port/shm_ring.c",
                       "        tern__ring_clear_ahead(tx, line);\n        uint64_t word = tern__ring_word(tx->tag, lines,",
                       "        uint64_t word = tern__ring_word(tx->tag, lines,"),
    "lend-unbounded": ("a reader may keep any number of bytes", "port/shm_lend.c",
                       "if (l->bytes + len > s->lend_bytes || (", "if (("),
    "lend-unending": ("a reader may keep for any time", "port/shm_lend.c",
                      "now - ticket->lent_at >= (tern_time)s->lend_time", "now - ticket->lent_at >= (tern_time)s->lend_time << 20"),
    "lend-expired-unsaid": ("a reader cannot see that what it keeps has been taken back", "port/shm_lend.c",
                            "            __atomic_store_n(&peer->ours->expired[l->lent[i] - 1], 1, __ATOMIC_SEQ_CST);\n", ""),
    "lend-expired-again": ("a ticket that was taken back once is taken for expired for ever", "port/shm_lend.c",
                           "    __atomic_store_n(&peer->ours->expired[number - 1], 0, __ATOMIC_RELAXED);\n", ""),
    "lend-unreturned": ("what the dead kept is never given back", "port/shm_lend.c",
                        "    for (; peer->n_lent; peer->n_lent--) give_back(s, l, ticket_of(l, l->lent[peer->n_lent - 1]));",
                        "    peer->n_lent = 0, (void)s;"),
    "keep-unsaid": ("a reader does not say what it keeps", "port/shm_keep.c",
                    "    __atomic_store_n(&peer->ours->held[source.ticket - 1], 1, __ATOMIC_RELAXED); /*", "    /*"),
    "keep-unreleased": ("a reader does not say what it has let go of", "port/shm_keep.c",
                        "        __atomic_store_n(&ours->held[k->sources[i].ticket - 1], 0, __ATOMIC_RELEASE);\n",
                        "        (void)ours;\n"),
    "keep-unseen-expiry": ("a reader does not look whether what it keeps has been taken back", "port/shm_keep.c",
                           "k->n && intact; i++)", "0 && intact; i++)"),
    "keep-unseen-revocation": ("a reader does not look whether the writer's memory is gone", "port/shm_keep.c",
                               "& TERN__SHM_REVOKED);", "& TERN__SHM_REVOKED & 0);"),
    "keep-other-peer": ("what is kept of one connection goes with what is kept of another", "port/shm_keep.c",
                        " || (*kept && ((keeper *)(void *)*kept)->ground != peer->ground)) return false;", ") return false;"),
    "loan-lent-trusted": ("what a peer may still write to is decoded as if it could not", "rpc/decode.c",
                          "        lent[i] = loan->pieces[i].is_lent;\n", "        lent[i] = false;\n"),
    "loan-gathered-kept": ("what has been copied out of a loan is kept all the same", "loan.c",
                           "    loan->kept->let_go(loan->kept);\n    loan->kept = NULL;\n", ""),
    "loan-any-span": ("a peer that cuts a message small makes a reader keep each piece", "loan.c",
                      "    return (behind || ends_packet) && loan->n_kept", "    return (behind || !ends_packet) || loan->n_kept"),
    "ring-unmarked": ("lines that hold the rest of a record are not known to", "port/shm_ring.c",
                      "            stale[k] = true;\n", ""),
    "together-by-turns": ("packets of one message leave together while others wait for their turn", "pace.c",
                          " || cs->unsent != 1u << i || cs->pace) return 1;", " || cs->pace) return 1;"),
    "together-paced": ("packets leave together although a control decides on each", "pace.c",
                       " || cs->unsent != 1u << i || cs->pace) return 1;", " || cs->unsent != 1u << i) return 1;"),
    "together-first": ("packet 0 leaves with others, as if it had no metadata", "pace.c",
                       "!win || win->next == 0 || cs->unsent", "!win || cs->unsent"),
    "together-over-credits": ("more packets leave together than there are credits", "pace.c",
                              "    if (n > credits) n = credits;\n", ""),
    "together-over-window": ("more packets leave together than the window lets", "pace.c",
                             "    if (n > room) n = room;\n", ""),
    "together-number": ("packets that leave together have one number", "send.c",
                        "        if (tx.nth + 1 < n) h.number = tern__next_number(s);\n", ""),
    "together-given-up": ("a packet that was given up leaves with those before it", "send.c",
                          "link->ops->tx_commit(link, tx.nth);", "link->ops->tx_commit(link, n);"),
    "placed-outlives": ("a link is not told that a request's memory goes", "request.c",
                        "    if (request->charged_bytes) tern__placement_forget(", "    if (0) tern__placement_forget("),
    "placed-outlives-response": ("a link is not told that a response's memory goes", "response.c",
                                 "    tern__placement_forget(cs->s.link, slot->in);\n    tern__uncharge(",
                                 "    tern__uncharge("),
    "placed-over": ("a message goes on being expected behind a packet that came out of order", "request.c",
                    "        tern__placement_forget(s->link, held);\n    request->buffer = held;", "        {}\n    request->buffer = held;"),
    "placed-too-far": ("a message is expected from the packet that has come", "placement.c",
                       ".to = *message + at,", ".to = *message + at - cut,"),
    "stranger-reported": ("the end of a stranger's connection is reported", "port/tcp_conn.c",
                          "conn->target || conn->heard;", "true;"),
    "stranger-reported-shm": ("the same over shm", "port/shm_peer.c", "peer->n_users || peer->rx.position;", "true;"),
    "lingers-for-ever": ("a peer that does not read is lingered for without end", "port/shm_peer.c",
                         "        if (peer->deadline > now) continue;\n",
                         "        if (peer->state == TERN__SHM_LINGERING || peer->deadline > now) continue;\n"),
    "foreign-lingers": ("a socket that a peer sent is closed as it lingers", "port/deferred_close.c",
                        "    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);", "    (void)at_once;"),
    "seats-apart": ("each port has all descriptors of the process for itself", "port/seats.c",
                    "return here < all ? here : all;", "return here + 0 * all;"),
    "unstirred": ("a peer that has woken us is not looked at before the next sleep", "port/shm_peer.c",
                  "    case TERN__SHM_UP:\n        tern__shm_stir(s, peer);\n", "    case TERN__SHM_UP:\n"),
    "foreign-here": ("what a peer sent is closed where it was received", "port/deferred_close.c", "= has_room(h);", "= false;"),
    "foreign-unread": ("what came behind a bad greeting is closed unread", "port/shm_socket.c",
                       "    tern__deferred_close(sock);", "    close(sock);"),
    "foreign-many": ("descriptors are received while too many wait to be closed", "port/shm_socket.c",
                     "tern__deferred_close_is_full() && brings_foreign(sock)", "false && brings_foreign(sock)"),
    "channel-huge": ("a channel may be of huge pages", "port/shm_map.c", " || !is_of_small_pages(fd))", " || (0 && !is_of_small_pages(fd)))"),
    "placed-anything": ("what comes in the place of an expected packet is taken for it", "port/udp_place.c",
                        "if (!tern__expected_is_next(&places->placement->expected, udp->heads[n], n)) return 0;", ""),
    "placed-one": ("of several messages that may go on the last is chosen", "port/udp_place.c",
                   "if (n > 1 || !placement->trusted) {", "if (!placement->trusted && n > 9) {"),
    "placed-distrust": ("a wrong choice is made again", "port/udp_place.c",
                        "places->placement->trusted = n > 0;", "places->placement->trusted = true;"),
    "placements-unfair": ("one route fills the table for good", "port/placement.c", "n < n_own + 2", "n < n_own + 99"),
    "placements-by-turns": ("messages by turns push each other out", "port/placement.c", "n < n_own + 2", "n < n_own"),
    "placements-stale": ("what does not move keeps its place", "port/placement.c",
                         "> TERN__PLACEMENT_STALE ? oldest : victim", "> UINT64_MAX / 2 ? oldest : victim"),
    "udp-given-up": ("a reserved packet that was given up is sent", "port/udp_tx.c",
                     "    for (uint32_t i = 0; i < n; i++) {\n        tern__udp_stretch packet",
                     "    for (uint32_t i = 0; i < (n ? n : tx->open.n_begun); i++) {\n        tern__udp_stretch packet"),
    "udp-given-up-pieces": ("the pieces of a reserved packet that was given up stay in the batch", "port/udp_tx.c",
                            "    if (n == 0 && tx->open.n_begun > 0) tx->n_iovs = tx->stretches[first].first_iov;\n", ""),
    "no-proof": ("a REFUSE need not prove anything", "table.c", ": s->tx_tag == secret) return s;",
                 ": true) return s;"),
    "impatient": ("a peer is dead after a sixteenth of the time", "client.c",
                  "tern__client_silent_since(cs) + (tern_time)cs->s.engine->config.peer_timeout;",
                  "tern__client_silent_since(cs) + (tern_time)cs->s.engine->config.peer_timeout / 16;"),
    "no-probes-needed": ("a peer is dead though nobody asked it", "client.c",
                         " || cs->s.probes < MIN_SILENT_PROBES)", ")"),
    "never-reaped": ("a server keeps the sessions of dead clients", "server.c",
                     "if (s->probes >= N_PINGS) {", "if (s->probes >= N_PINGS && s->probes > 1u << 30) {"),
    "no-disconnect": ("a server does not hear that a client goes", "dispatch.c",
                      "    if (s->role == TERN__SERVER)\n        tern__server_drop((tern__ssession *)s, TERN__WHY_DISCONNECTED);\n    else\n",
                      "    if (s->role != TERN__SERVER)\n"),
    "leaked-window": ("a window is not freed", "call.h", "    tern__slab_give(slot->win);\n", ""),
    "uncounted": ("memory for responses stays charged", "client.c",
                  "    tern__uncharge(&cs->s, tern__slots_of(cs)->charged[i]); /* it is the caller's */\n", ""),
    "share-of-all": ("one peer may take what others would need", "account.c",
                     "if (account->held == e->held || then <= TERN__FLOOR_BYTES || then <= share) return true;",
                     "if (share || then) return true;"),
    "share-of-none": ("nobody gives, whoever needs it", "reclaim.c",
                      "held_by(peer, in_need) <= held_by(in_need, peer) + bytes) return false;",
                      "held_by(peer, in_need) <= UINT64_MAX - bytes) return false;"),
    "share-fastest-gives": ("what has come the fastest is given up first", "reclaim.c",
                            "uint64_t progress = progress_of(request, now);",
                            "uint64_t progress = UINT64_MAX / 2 - progress_of(request, now);"),
    "share-neighbours": ("one route pays for what its neighbours hold", "account.c",
                         "if (!tern__reclaim(e, peer, peer->network, bytes)) return false;", "return false;"),
    "share-sessions": ("one peer may have all sessions", "account.c",
                       "TERN__FLOOR_SESSIONS + 2 * (uint64_t)idle;", "TERN__FLOOR_SESSIONS + 200 * (uint64_t)idle;"),
    "held-by-handlers": ("what waits for its handler does not count", "request.h",
                         "    if (!request->charged_bytes) tern__request_pin(request, msg->data);\n",
                         "    if (!request->buffer && !tern_ref(msg->data)) request->buffer = msg->data;\n"),
    "held-of-the-dead": ("a session that ends leaves its half-received requests in its peer's list", "server.c",
                         "        if (request && request->state != TERN__REQUEST_RUNNING) tern__request_forget(request);\n",
                         ""),
    "written-of-the-dead": ("a session that was written to while it ended is to send", "server.c",
                            "    tern__list_remove(&ss->s.cold->stalled); /* who was", "    /* who was"),
    "starved-once": ("a stream that can give is not found again", "stream_wait.c",
                     "    tern__list_append(peer->unread.next, &longest->unread);",
                     "    tern__list_append(&peer->unread, &longest->unread);"),
    "waiting-uncounted": ("a request in pieces that waits for its turn is on no account", "request.c",
                          "    if (request->charged_bytes || request->lent ||", "    if (request->buffer ||"),
    "waiting-little": ("who holds little finds no room to wait where others hold all", "request.c",
                       "    if (tern__charge(s, bytes) || tern__charge_taken(s, bytes)) return true;\n",
                       "    if (tern__charge(s, bytes)) return true;\n    tern__charge_taken(s, bytes);\n"),
    "trickled": ("a byte that is granted now and then keeps a stream's output here", "stream_wait.c",
                 "    return step >= (tern__stream_is_unopened(st) ? 1 : STEP_BYTES);\n", "    return step >= 1;\n"),
    "waiting-runs-late": ("a request runs in its turn although its client has given up", "server.c",
                          "    if (request->deadline <= e->now)\n", "    if (false)\n"),
    "turns-forget": ("when turns end nobody knows which methods answer later", "engine.c",
                     "    if (on) e->deferring_then = e->deferring;\n", "    e->deferring_then = 0;\n"),
    "waiting-unacknowledged": ("the packets of a request that waits for its turn are not acknowledged", "server.c",
                               "if (was_delayed && tern__request_is_under_way(request))",
                               "if (was_delayed && request->state == TERN__REQUEST_RUNNING)"),
    "still-forever": ("a half-received request that stands still stays", "progress.c",
                      "        if (due <= now)\n", "        if (due <= now && is_kept(request))\n"),
    "still-handlers": ("a client without credit is taken for one that stands still", "progress.c",
                       "        if (tern__request_is_under_way(request)) return now;\n", ""),
    "turns-by-number": ("who asks for much has as many turns as others, and not as much time", "turns.c",
                        "    if (time < LEAST) time = LEAST;\n", "    time = LEAST;\n"),
    "turns-alone": ("the routes of a network owe nothing to each other", "turns.c",
                    "    peer->turn.debt += time;\n", ""),
    "waiting-past-deadline": ("a request that waits for its turn is told to its handler as abandoned", "server.c",
                              "    if (request->state == TERN__REQUEST_WAITING) {\n"
                              "        reject(request->session, request, TERN_STATUS_DEADLINE_EXCEEDED);\n"
                              "        return;\n    }\n", ""),
    "waiting-stays": ("what waits for its turn gives nobody room", "reclaim.c",
                      "    if (!request) request = last_that_waits(peer);\n",
                      ""),
    "streams-at-once": ("what arrives for a stream does not wait for its turn", "rpc/stream.c",
                        "    if (tern__stream_turn_is_due(s)) tern__stream_turn_wait(s);\n    tern__stream_in(s, data, len);",
                        "    tern__stream_in(s, data, len);"),
    "grinds-on": ("a stream's turn ends when all is handed over", "rpc/stream_turn.c",
                  "if (!s->waits && has_taken_long(s->ep, delivery)) tern__stream_turn_wait(s);", ""),
    "answers-together": ("the answers to a batch leave when all of it has run", "rpc/drive.c",
                         "    if (took >= (tern_time)ANSWERS_WAIT) tern__ports_flush(ep);\n", ""),
    "debts-forgiven": ("who comes back by another connection owes nothing", "peers.c",
                       "    if (!owes || e->n_debtors == TERN__MAX_DEBTORS) return false;", "    if (owes || !owes) return false;"),
    "kept-stays": ("bytes that a reader has taken stay on the account", "rpc/stream_in.c",
                   "    if (p->kept && s->st) tern__stream_unkeep(s->st, p->kept);\n", ""),
    "unfetched-forever": ("a response that nobody fetches stays", "progress.c",
                          "        if (due <= now)\n", "        if (due <= now && is_receiving(request))\n"),
    "unfetched-asked": ("to ask for the same packet again is progress", "server.c",
                        "    if (request->out && h->pkt >= request->resp_asked) tern__request_note_asked(request);",
                        "    if (request->out) tern__request_note_asked(request);"),
    "unopened-forever": ("a session that its client never uses stays for long", "server.c",
                         "s->probes ? TERN__UNOPENED : TERN__SERVER_IDLE;", "TERN__SERVER_IDLE;"),
    "metadata-once": ("a request that is sent again forgets its metadata", "client.c",
                      "if (pkt == 0) tern__pkt_set_meta(&h, tern__out_meta_bytes(slot->out));",
                      "if (pkt == 0 && !slot->resent) tern__pkt_set_meta(&h, tern__out_meta_bytes(slot->out));"),
    "metadata-late": ("packet 0 of a request, coming after others, loses its metadata", "server.c",
                      "    if (h->pkt == 0) request->meta_bytes = h->meta_bytes;\n", ""),
    "metadata-let-go": ("a request behind metadata is not held while its handler goes on", "server.c",
                        "if (!request->buffer && !tern_ref(msg.data)) request->buffer = msg.data;", ""),
    "error-kept-small": ("a short error is kept as if it were a response", "server.c",
                         "if (plan->meta_bytes || request->status != TERN_STATUS_OK) return 0;",
                         "if (plan->meta_bytes > 64) return 0;"),
    "value-not-held": ("values that are sent in place are not held", "message.c",
                       "    int err = tern_ref(data);\n    if (!err) out->segs",
                       "    int err = tern_ref(data);\n    if (!err && start) tern_unref(data);\n    if (!err) out->segs"),
    "gap-misplaced": ("copied bytes between values in place are those that the message begins with", "message.c",
                      "add_piece(out, head + value.at, gap,", "add_piece(out, head, gap,"),
    "gap-uncounted": ("entries of a packet are counted as if nothing lay between values in place", "message.c",
                      "pieces_per_value * (room / threshold) + pieces_per_value + 1 > path->max_posts",
                      "room / threshold + 2 > path->max_posts"),
    "format-unasked": ("a session speaks the format that it likes best, whatever the other side reads", "connect.c",
                       "tern__formats_best(s->engine->config.formats, in->formats)->number",
                       "tern__formats_best(s->engine->config.formats, ~0u)->number"),
    "format-too-soon": ("what the last server read is taken to be read by the next", "session.c",
                        "s->format == TERN_FORMAT_RAW || s->format > TERN__LAST_COMMON_FORMAT", "s->format == TERN_FORMAT_RAW"),
    "restless": ("an idle client's timer goes on and on", "client.c",
                 "    return cs->unreported ? tern__min_time(due, cs->report_at) : due;",
                 "    return tern__min_time(due, cs->s.engine->now + 1000000);"),
    "no-report": ("a server does not hear which calls have ended", "report.c",
                  "    bool sent = send_report(cs);\n", "    bool sent = cs->n_reports == 77 && send_report(cs);\n"),
    "same-number": ("a session's number does not change with its use", "table.c",
                    "uint32_t generation = ++s->engine->entries[i].generation & GENERATION_MASK;",
                    "uint32_t generation = s->engine->entries[i].generation & GENERATION_MASK;"),
    "any-token": ("an ACCEPT of another CONNECT is taken", "table.c", " && s->cold->token == token;", ";"),
    "any-route": ("a packet of another route is taken", "dispatch.c",
                  "s->link == pkt->link && tern__route_eq(&s->route, &pkt->route) &&", "s->link == pkt->link &&"),
    "twice-connected": ("a repeated CONNECT makes another session", "table.c",
                        "s->role == TERN__SERVER && s->cold->token == secret",
                        "s->role == TERN__SERVER && s->cold->token == secret + 1"),
    "gone-orphans": ("on_gone is not called for orphans", "server.c",
                     "    if (tern__list_empty(&ss->s.scold->orphans)) return NULL;\n", "    return NULL;\n"),
    "no-retry": ("a full link is not tried again", "engine.c",
                 "    uint32_t n = tern__list_empty(&e->stalled) ? 0 : retry_stalled(e, now, &moved);\n",
                 "    uint32_t n = 0;\n    if (0) retry_stalled(e, now, &moved);\n"),
    "lost-cr": ("a reliable link that is full swallows CRs", "server.c",
                "    if (send_cr(ss, request) || !ss->s.link->reliable) return;\n    request->cr_pending = true;",
                "    if (send_cr(ss, request) || ss) return;\n    request->cr_pending = true;"),
    "no-credits": ("more packets are in flight than there are credits", "client.c",
                   "while (cs->unsent && cs->in_flight < cs->credits) {", "while (cs->unsent) {"),
    "go-back-n": ("all is sent again when one packet is lost", "client.c",
                  "    resend(cs, slot, lost, now);", "    resend(cs, slot, tern__win_missing(slot->win), now);"),
    "admits-beyond": ("a server runs calls beyond its bound", "admission.c",
                      "    if (tern__admission_is_full(e)) return false;\n", ""),
    "admitted-for-ever": ("a call that has ended goes on counting as running", "request.c",
                          "    if (request->admitted && state != TERN__REQUEST_RUNNING) tern__admission_leave(request);\n", ""),
    "not-run-kept": ("what a server says of one call is believed of the next in its slot", "call.h",
                     "    tern__slots_of(cs)->not_run &= (uint8_t)~bit;\n", ""),
    "not-run-lie": ("errors of handlers say that they have not begun", "admission.h",
                    "    bool not_run = status > TERN__NOT_RUN;", "    bool not_run = status > TERN_STATUS_OK;"),
    "retry-unheard": ("a client calls before the server's time has passed", "admission.c",
                      "    if (cs->s.ccold->retry_at > now) return true;\n", ""),
    "probe-never": ("who was told to wait waits for ever", "admission.c",
                    "    if (!may) tern__timer_lower(&cs->s, tern__admission_due(cs));\n", ""),
    "cancelled-anyhow": ("a call that was given up goes on", "cancel.c",
                         "        tern__client_abandon(cs, i, now);\n", ""),
    "place-report-lost": ("a report says nothing of streams", "places.c",
                          "    uint32_t n = places ? cs->s.cold->n_streams : 0;\n", "    uint32_t n = 0;\n"),
    "place-not-held": ("slots, and with them the timer, are given back while there is a stream", "places.c",
                       "    cs->keeps_slots |= TERN__STREAMS;\n", ""),
    "output-uncounted": ("what a stream has to send is on nobody's account", "stream_queue.c",
                         "if (bytes <= st->tx_charged || !st->request) return 0;", "if (bytes || !st->request) return 0;"),
    "stream-waits-for-nothing": ("who may hold no more waits though nothing will leave", "stream_queue.c",
                                 "    if (!waiting) return TERN_ERR_NOMEM;\n", ""),
    "writable-too-early": ("a writer that was refused for its client's share does not wait", "rpc/stream.c",
                           "return !tern__stream_has_room(st) || tern__stream_is_refused(st);", "return !tern__stream_has_room(st);"),
    "decoded-uncounted": ("what a message is decoded to is on nobody's account", "engine.c",
                          "    if (!tern__charge(&request->session->s, bytes)) return false;\n    request->charged_bytes += (uint32_t)bytes;\n", ""),
    "surplus-uncounted": ("memory of giants that nobody has asked for does not count as kept", "mem/depot.c",
                          "return filled > asked && !is_huge(", "return filled > asked && asked > filled && !is_huge("),
    "time-of-another": ("a request's time to go on is that of the slot's last one", "server.c",
                        "request->arrived = request->asked_at = now;", "request->arrived = now;"),
    "stream-for-ever": ("a stream that nothing is acknowledged of is sent again without end", "stream_server.c",
                        "    if (is_hopeless(ss, st, now)) {", "    if (0 && is_hopeless(ss, st, now)) {"),
    "stream-hurried": ("whatever a client says hurries what it does not acknowledge", "stream_server.c",
                       "    if (!st->n_vain && cap", "    if (ss->s.last_rx > st->last_tx && cap"),
    "stream-any-method": ("code of any method writes to any stream", "rpc/stream.c",
                          "    return s->method && method && (s->method == method || s->method->id == method->id);",
                          "    return s->method && method;"),
    "stream-any-side": ("a request can be written at the server", "rpc/stream.c",
                        "    return tern__stream_is_server(s) == at_server ? put(s, message) : TERN_ERR_STATE;",
                        "    (void)at_server;\n    return put(s, message);"),
    "call-told-to-nobody": ("a typed call without a continuation is started", "rpc/client.c",
                            "    if (!done) return TERN_ERR_INVALID;\n    tern__pending how", "    tern__pending how"),
    "error-no-text": ("an error's message that is not UTF-8 is sent", "rpc/metadata.c",
                      "    if (text.len && is_text) err", "    if (text.len) err"),
    "utf8-unsaid": ("nobody says that a string was not UTF-8", "rpc/decode.c",
                    "    case TERN_ERR_UTF8: *why = \"a string field of the message is not valid UTF-8\"; break;\n", ""),
    "gro-never": ("packets that come in bursts are never taken coalesced", "port/udp_rx.c",
                  "    if (sock->n_in_bursts < TERN__UDP_GRO_HABIT) return;", "    if (sock->n_in_bursts) return;"),
    "stream-untold": ("a client that asks is not told of a stream that was given up", "stream_server.c",
                      " && !ss->s.link->reliable && is_rejected(ss, h->req))", " && 0)"),
    "stream-untold-sending": ("a client that sends is not told of a stream that was given up", "stream_server.c",
                              "    else if (is_rejected(ss, h->req))", "    else if (0)"),
    "place-older-number": ("an older number opens a stream again", "stream_server.c",
                           "    if (ahead > 0 && h->pkt <= first && fits)", "    if (ahead && h->pkt <= first && fits)"),
    "place-uncounted": ("memory of a stream's records stays charged", "stream_server.c",
                        "    ss->n_streams--;\n    tern__uncharge(&ss->s, record_bytes(ss));\n",
                        "    ss->n_streams--;\n"),
    "place-larger-counts": ("the larger of both numbers of places counts", "connect.c",
                            "    uint32_t n = own_streams(s) < theirs ? own_streams(s) : theirs;",
                            "    uint32_t n = own_streams(s) > theirs ? own_streams(s) : theirs;"),
    "stream-no-grant": ("a stream's writer does not wait for room", "stream.c",
                        "    uint64_t granted = tern__stream_granted(st);", "    uint64_t granted = ready;"),
    "stream-meta-granted": ("a stream's metadata block waits for a grant", "stream.c",
                            "    uint64_t granted = tern__stream_granted(st);",
                            "    uint64_t granted = st->tx_limit - st->tx_sent;"),
    "stream-meta-order": ("a stream's metadata block may stand anywhere", "stream_meta.c",
                          "    if (!is_meta) return !has_begun || (is_whole && st->request) || refuse_malformed(st);",
                          "    if (!is_meta) return true;"),
    "stream-meta-unbounded": ("a stream's metadata block may have any length", "stream_meta.c",
                              "bool fits = h->meta_bytes <= st->session->engine->config.max_meta_bytes && make_room(",
                              "bool fits = make_room("),
    "stream-meta-cut": ("a handler begins before the metadata block is whole", "stream.c",
                        "    if (tern__stream_is_unopened(st) && !tern__stream_meta_is_cut(st)) open_call(st);",
                        "    if (tern__stream_is_unopened(st)) open_call(st);"),
    "stream-unopened-window": ("a server grants more than its handler wants", "stream_server.c",
                               "{.window_bytes = TERN__STREAM_MIN_WINDOW};", "{.window_bytes = 0};"),
    "stream-disorder": ("early packets of a stream are handed on at once", "stream.c",
                        "    if (ahead == 0 && !beyond) {", "    if (ahead < 3 && !beyond) {"),
    "stream-early-twice": ("an early packet that comes twice is kept twice", "stream.c",
                           "    if (loss->early_mask >> ahead & 1) return true;\n", ""),
    "stream-uncounted": ("memory for early packets stays charged", "stream.c",
                         "        tern__uncharge(st->session, tern__buffer_bytes(len));\n        alive", "        alive"),
    "stream-unsaid-end": ("a stream that is finished is not known to be", "stream_state.c",
                          "    [TERN__EV_FINISHED] = {[TERN__SEND_SEND] = TERN__SEND_SIZE_KNOWN},\n", ""),
    "wheel-unheard": ("who waits in the wheel waits for something else to happen", "engine.c",
                      "    if (e->wheel) due = tern__min_time(due, tern__wheel_next(e->wheel));\n", ""),
    "sealed-replay": ("a packet of a sealed session is opened twice", "sealed.c",
                      "return below >= WINDOW || (x->rx_seen >> below & 1);", "return below >= WINDOW;"),
    "sealed-forged": ("a packet that does not open is taken", "sealed.c",
                      "if (key < 0 || !open_to(s, pkt, &packet, key, to)) {",
                      "if (key < 0 || (!open_to(s, pkt, &packet, key, to) && !h)) {"),
    "sealed-number": ("a sealed packet on a reliable link has no number", "engine_record.h",
                      "    if (!s->tx_flags && !s->sealed) return 0;", "    if (!s->tx_flags) return 0;"),
    "sealed-phase": ("a sender moves to its next key before its peer is in the phase", "sealed.c",
                     "    x->may_move = false;\n", ""),
    "sealed-follow": ("a packet of the next phase moves the receiver before it has been opened", "sealed.c",
                      "    uint64_t bytes = (uint64_t)pkt->head_len + pkt->spans_len;\n    uint8_t *to = key",
                      "    if (key == KEY_RX_NEXT) follow(s), key = KEY_RX;\n"
                      "    uint64_t bytes = (uint64_t)pkt->head_len + pkt->spans_len;\n    uint8_t *to = key"),
    "sealed-before": ("late packets of the phase before are dropped", "sealed.c",
                      "return x->has_before ? KEY_RX_BEFORE : -1;", "return -1;"),
    "sealed-refuse": ("a REFUSE ends a sealed session at once", "refuse.c",
                      "if (s->sealed && s->state == TERN__STATE_OPEN) {", "if (s->sealed && s->state > TERN__STATE_CLOSED) {"),
    "sealed-doubt": ("doubt never ends a session", "sealed_watch.c", "    if (now >= x->doubt_until) {", "    if (!now) {"),
    "sealed-insist": ("an end that insists on a seal does without", "sealed.c",
                      "return required && !*is_sealed ? TERN__REFUSE_SEAL : TERN__REFUSE_NONE;",
                      "return (void)required, TERN__REFUSE_NONE;"),
    "sealed-incarnation": ("a server that was started anew has the same keys", "sealed.c",
                           "        .incarnation = client ? in->incarnation : e->incarnation,\n", ""),
    "sealed-own": ("a sealed packet in a pool buffer is freed before it leaves", "tx.c",
                   "        tx->own->posted = true;\n", ""),
    "wheel-stuck": ("the wheel lets nobody go", "engine.c", "    if (e->wheel) tern__pace_run_wheel(e, now);\n", ""),
    "open-gate": ("any cookie is good", "connect.c",
                  "tern__validation_is_open(&e->validation, &client, in->cookie, now)", "in->cookie"),
    "any-length": ("an answer to a stranger may be longer than what came", "refuse.c",
                   "    if (packet_bytes(pkt) < answer_bytes) return false;\n", ""),
    "all-slots": ("a client uses more slots than its server offers", "client.c",
                  "return cs->free_slots & cs->slot_mask;", "return cs->free_slots;"),
    "all-begun": ("a client does not believe which calls have not begun", "client.c",
                  "(begun && (int32_t)(cs->s.reqs[i] - begun[i]) > 0)", "false"),
    "setup-unmeasured": ("a setup with another packet behind it is refused", "connect.c",
                         "if (tern__setup_bytes(bytes) != len) return false;", "(void)tern__setup_bytes;"),
    "stream-last-cut": ("a packet that was cut short for its pieces is the last all the same", "stream.c",
                        "        *last = false;\n        h->flags &= (uint8_t)~TERN__PKT_LAST;\n", "        *last = *last;\n"),
    "stream-one-turn": ("the first stream of a session goes first for ever", "stream_server.c",
                        "ss->next_stream = (uint8_t)((i + 1) % TERN__MAX_STREAMS);", "ss->next_stream = 0;"),
    "stream-early-ungranted": ("a packet that comes early is kept beyond the grant", "stream.c",
                               "bool is_granted = is_meta ||", "bool is_granted = true || is_meta ||"),
    "stream-karn": ("any answer ends the backing off of a stream", "stream_client.c",
                    "if (sample >= 0) slot->backoff = 0; /* not", "slot->backoff = 0; /* not"),
    "stream-no-rebase": ("the numbers of a stream's window go on for ever", "stream.c",
                         "    if (loss->win.base < REBASE_AT) return;", "    return;"),
    "stream-grant-unsaid": ("what a reader grants is not said with the packets of its own half", "stream.c",
                            "if (!may_open && !is_grant_due(st)) {", "if (!may_open) {"),
    "sealed-many-pieces": ("a sealed packet notes more pieces than it has room for", "tx.c",
                           "    if (tx->n_spans == TERN__TX_SPANS) flatten(tx);\n", "    (void)flatten;\n"),
    "sealed-own-kept": ("the buffer of a long sealed packet is kept", "tx.c",
                        "        tx->own->posted = true;\n        tern__out_release(tx->s->engine, tx->own);\n", ""),
    "sealed-old-pong": ("an answer of an older key phase lets a sender move on", "sealed.c",
                        "h->req == (TERN__SEALED_PING | x->tx_phase)) x", "h->req & TERN__SEALED_PING) x"),
    "overtaken-all": ("one answer brings everything in flight again", "loss.c", "if (!is_first_time && n++ >= TERN__REORDER) continue;", "(void)is_first_time, (void)n;"),
    "stream-room-untold": ("a writer hears of no room that was made without an answer", "stream.c",
                           "    if (wants_to_be_told(st)) tern__session_send_soon(st->session);", "    (void)tern__session_send_soon;"),
    "place-end-untold": ("a stream that never leaves tells the end of the one before", "places.c",
                         "    places->reporting &= ~bit; /*", "    places->unreported &= ~bit, places->reporting &= ~bit; /*"),
    "stream-given-up-ok": ("a client takes a rejection for a packet of the response", "stream_client.c",
                           "    if (is_rejection(pkt, h, header_bytes)) {", "    if (0 && is_rejection(pkt, h, header_bytes)) {"),
    "sealed-nearest": ("a lost packet with the last number of 32 bits hides all that follow", "sealed.c", "return number + all;", "return number;"),
    "sealed-stale-window": ("after a long gap the replay window has bits of what was before", "sealed.c",
                            "by < WINDOW ? x->rx_seen << by : 0", "x->rx_seen << (by & 63)"),
    "stream-idle-counts": ("a stream that was idle is given up at the first trouble", "stream_server.c",
                           "            st->backoff = st->n_vain = 0;\n            st->progress_at = now;\n",
                           "            st->backoff = st->n_vain = 0;\n"),
    "closed-by-nobody": ("calls of a session that this program closes are told that the peer has died", "engine.c",
                         "    e->losing = cs;\n    tern__client_fail_all(cs, TERN_STATUS_UNAVAILABLE, NULL);",
                         "    tern__client_fail_all(cs, TERN_STATUS_UNAVAILABLE, NULL);"),
    "unsent-without-loss": ("a call that waits for a verdict is not told why its session was lost", "rpc/result.c",
                            "        ep->told_loss = tern__engine_told_loss(ep->engine);", "        ep->told_loss = NULL;"),
    "clients-untold": ("a client that goes is not told of to whoever watches", "server.c",
                       "    tern__session_tell_of_client(&ss->s, true, why);\n", ""),
    "trace-unlocked": ("two endpoints trace into one file", "rpc/qlog.c", "LOCK_EX | LOCK_NB", "LOCK_SH | LOCK_NB"),
    "trace-early-header": ("a trace says what its endpoint is before that is known", "rpc/trace.c",
                           "    if (!err) tern__engine_set_trace(ep->engine, on_event, ep);",
                           "    if (!err) tern__qlog_begin(ep->qlog, vantage_of(ep, TERN__ROLE_CLIENT));\n"
                           "    if (!err) tern__engine_set_trace(ep->engine, on_event, ep);"),
    "accepted-twice": ("a stream is accepted a second time", "rpc/stream.c", "s->call == TERN__STREAM_ACCEPTING && !s->accepted",
                       "s->call == TERN__STREAM_ACCEPTING"),
    "listens-on": ("an endpoint that has drained listens", "rpc/listen.c",
                   "static int listen_at(tern_endpoint *ep, const char *address) {\n    if (ep->has_left) return TERN_ERR_STATE;\n",
                   "static int listen_at(tern_endpoint *ep, const char *address) {\n"),
    "stream-forgotten": ("a stream that its handler has forgotten never ends", "rpc/stream.c",
                         "    if (!s->accepted) end_forgotten(s);\n", ""),
    "tables-served": ("a method is served whose tables this library does not know", "rpc/server.c",
                      "int err = entry->method ? tern__tables_check(ep, entry->method) : 0;", "int err = 0;"),
    "tables-called": ("a method is called whose tables this library does not know", "rpc/schema.c",
                      "return err || !is_asked ? err : wait_for_verdict", "return !is_asked ? 0 : wait_for_verdict"),
    "secret-arena": ("requests are decoded in memory that peers may read", "mem/arena.c",
                     "arena->is_private ? tern_alloc_private(*size) : tern_alloc(*size)", "tern_alloc(*size)"),
    "kinds-mixed": ("private memory comes from segments that are shown", "mem/depot.c",
                    "(tern__class_is_private(cls) ? TERN__SEGMENT_PRIVATE : 0)", "0"),
    "segment-stays": ("memory that a peer looked at never goes back", "mem/depot.c",
                      "if (!is_spent(s, !cold)) continue;", "if (!is_spent(s, false)) continue;"),
    "segment-in-use-goes": ("a segment goes while one of its buffers is in use", "mem/depot.c",
                            "if (s->n_free != s->n_made || is_huge(s)) return false;", "if (is_huge(s)) return false;"),
    "addresses-not-reclaimed": ("what is kept for reuse is in the way when addresses are out", "mem/depot.c",
                                "    return take(d, cls, half, false, f);", "    return false;"),
    "ceiling-keeps-chunks": ("at the ceiling chunks that nothing is used of are in the way of other sizes", "mem/depot.c",
                             "    spare_spent(d, locked);\n    for", "    for"),
    "chunk-in-use-goes": ("a chunk leaves its class while one of its buffers is in use", "mem/depot.c",
                          "    if (--k->n_out > 0) return false;\n", "    if (--k->n_out > 1) return false;\n"),
    "chunk-never-idle": ("chunks that nothing is used of stay with their class", "mem/depot.c",
                         "    sweep(d, cls, FOR_IDLE, out);\n", ""),
    "chunk-uncounted": ("memory of chunks that went with their segment still counts", "mem/spare.c",
                        "        bytes += kept_bytes_of(s);\n", ""),
    "thread-keeps-much": ("a thread keeps a megabyte of each size", "mem/pool.c",
                          "MAGAZINE_BYTES = 256 << 10,", "MAGAZINE_BYTES = 1 << 20,"),
    "edge-forgotten": ("at the edge of a region that goes, its neighbour is forgotten", "mem/chunks.c",
                       "static void mark_edge(uintptr_t at) { tern__map_set(at, 1, chunk_is_listed(at) ? TERN__CODE_LISTED : 0); }",
                       "static void mark_edge(uintptr_t at) { tern__map_set(at, 1, 0); }"),
    "region-goes-in-flight": ("registered memory is forgotten while values in it are in flight", "mem/regions.c",
                              "    if (tern_region_in_flight(region)) return TERN_ERR_AGAIN;\n", ""),
    "region-past-end": ("a value may go beyond the end of registered memory", "mem/regions.c",
                        "if (!r || len > r->bytes - ((uintptr_t)ptr - r->start)) return false;", "if (!r) return false;"),
    "segment-unannounced": ("entries name segments that the peer has not heard of", "port/shm_tx.c",
                            "    if (tern__shm_send_notice(peer->sock, &notice, fd)) return false;\n    peer->announced", "    peer->announced"),
    "segment-any-seal": ("a segment is mapped that can shrink", "port/shm_map.c",
                         "bytes > MAX_SEGMENT_BYTES || !is_sealed(fd, bytes) ||", "bytes > MAX_SEGMENT_BYTES ||"),
    "shm-received-shared": ("what comes over shm lies in memory that other peers may read", "port/shm_port.c",
                            "few ? scratch_begin(&s->few_lines, FEW_BYTES) : tern_alloc_private(record->inline_bytes)",
                            "few ? scratch_begin(&s->few_lines, FEW_BYTES) : tern_alloc(record->inline_bytes)"),
    "peer-timeout-any": ("any peer_timeout is taken", "rpc/config.c", "TERN__SHORTEST_PEER_TIMEOUT, INT64_MAX", "1, INT64_MAX"),
    "config-any-bytes": ("the log of a config that was never initialised is called", "rpc/config.c",
                         "if (fault == TERN__SIZED_WRONG) return TERN_ERR_INVALID;", ""),
    "credits-any": ("more session_credits are taken than are used", "rpc/config.c", "1, TERN__MAX_CREDITS}", "1, 4096}"),
    "window-any": ("a stream's window is taken that is not honoured", "rpc/opts.c", "return err ? err : check_window(ep,",
                   "return err || true ? err : check_window(ep,"),
    "opts-any-size": ("opts of another version are read as they are", "rpc/client.c",
                      "        err = tern__opts_of_call(session->ep, opts, &own);\n        if (err) return err;\n"
                      "        opts = &own;\n", "        own = *opts;\n        opts = &own;\n"),
    "events-any-size": ("events of another version are read as they are", "rpc/opts.c",
                        "tern_stream_events_init(own);\n    return read_sized(ep, \"tern_stream_events\", &kind, own, given);",
                        "*own = *given;\n    return 0;"),
    "opts-any-size-typed": ("the same of typed calls", "rpc/client.c",
                            "        err = tern__opts_of_call(s->ep, opts, &own);\n        if (err) return err;\n"
                            "        opts = &own;\n", "        own = *opts;\n        opts = &own;\n"),
    "worker-opts": ("a worker's opts of another version are read as they are", "rpc/worker.c",
                    "tern__opts_of_call(forward->session->ep, forward->given, &forward->opts)",
                    "(forward->opts = *forward->given, forward->opts.size = sizeof forward->opts, 0)"),
    "stats-overrun": ("a program's statistics are overrun", "rpc/endpoint.c", "tern__sized_write(stats, size, &own, sizeof own);",
                      "*stats = own;"),
    "sized-newer": ("what a newer program asks for is overlooked", "base/sized.c",
                    "if (size > own_size && !is_zero(", "if (size > own_size && given == NULL && !is_zero("),
    "sized-beyond": ("more is read of a struct than there is", "base/sized.c",
                     "memcpy(own, given, size < own_size ? size : own_size);", "memcpy(own, given, own_size);"),
    "sized-overrun": ("a program's struct is overrun", "base/sized.c", "memcpy(out, own, out_size < own_size ? out_size : own_size);",
                      "memcpy(out, own, own_size);"),
    "newcomers-unhurried": ("who comes while handlers take long is looked at after some hundred polls", "rpc/drive.c",
                            "port->look_soon = true", "port->look_soon = false"),
    "listen-stale-reason": ("a bad address is logged with the reason of some other failure", "rpc/ports.c",
                            "err == TERN_ERR_ADDRESS ? tern__ports_fault(ep, address, passive) : NULL", "NULL"),
}


def commands(build):
    """The compile command of each file, as argument lists, by its name in MUTANTS; not that of the bench for its own
    library."""
    out = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if path.parent == ROOT / "src/engine" and "TERN__FACTORS" not in entry["command"]:
            out[path.name] = shlex.split(entry["command"])
        if path.parent == ROOT / "src/port" and "TERN__FACTORS" not in entry["command"]:
            out[f"port/{path.name}"] = shlex.split(entry["command"])
        for room in ("rpc", "mem", "base"):
            if path.parent == ROOT / "src" / room and "TERN__FACTORS" not in entry["command"]:
                out[f"{room}/{path.name}"] = shlex.split(entry["command"])
        if path == ROOT / CALLS and "TERN__FACTORS" not in entry["command"]:
            out[CALLS] = shlex.split(entry["command"])
    return out


def link_command(build, program):
    text = subprocess.run(["ninja", "-C", build, "-t", "commands",
                          "-s", program], capture_output=True, text=True, check=True)
    return shlex.split(text.stdout.strip().splitlines()[-1])


def compile_with(build, command, path, source, folder):
    obj = folder / (path.name + ".o")
    args, skip = [], False
    for arg in command:
        if skip or re.search(rf"(^|/){re.escape(source)}$", arg):
            skip = False
        elif arg in ("-o", "-MF", "-MQ"):
            skip = True
        elif arg not in ("-c", "-MD", "-Werror"):
            args.append(arg)
    args.insert(next(i for i, arg in enumerate(args) if arg.startswith("-I")), f"-I{folder}")
    subprocess.run(args + ["-w", "-c", str(path), "-o", str(obj)], cwd=build, check=True)
    return obj


def compile_mutant(build, commands_of, source, text, folder):
    """The objects to be linked first, by name."""
    if source.endswith(".c"):
        path = folder / pathlib.Path(source).name
        path.write_text(text)
        return {source: compile_with(build, commands_of[source], path, path.name, folder)}
    (folder / "engine").mkdir()
    (folder / "engine" / source).write_text(text)
    paths = {name: ROOT / "src/engine" / name for name in USERS_OF_HEADERS}
    paths[CALLS] = ROOT / CALLS
    return {name: compile_with(build, commands_of[name], path, path.name, folder) for name, path in paths.items()}


def link_mutant(build, program, objects, folder):
    out = folder / pathlib.Path(program).name
    args = link_command(build, program)
    at = args.index("-o")
    args[at + 1] = str(out)
    for name, obj in objects.items():
        if name != CALLS:
            args.insert(at + 2, str(obj))
    own = f"{program}.p/{pathlib.Path(CALLS).name}.o"
    args = [str(objects[CALLS]) if arg == own and CALLS in objects else arg for arg in args]
    subprocess.run(args, cwd=build, check=True)
    return out


def fails(program, *args):
    """Seconds until the program failed and its first line that says why, or None."""
    start = time.monotonic()
    try:
        done = subprocess.run([program, *args], capture_output=True, text=True, timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return time.monotonic() - start, "does not end"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("# ") and "replay" not in line]
    why = [line for line in lines if line.startswith("# seed ")] + lines
    return time.monotonic() - start, why[0][2:] if why else f"exit status {done.returncode}"


def source_path(source):
    return ROOT / "src" / (source if "/" in source else f"engine/{source}")


def misfits():
    """The mutants whose text is not in their file."""
    return [name for name, (_, source, old, _) in MUTANTS.items() if old not in source_path(source).read_text()]


def tests_in(build, folder, pattern):
    return sorted(str(p.relative_to(build)) for p in (build / folder).glob(pattern) if p.is_file())


def who_fails(build, objects, folder, programs):
    return [pathlib.Path(program).name for program in programs
            if fails(link_mutant(build, program, objects, folder))]


def try_mutant(build, commands_of, name):
    what, source, old, new = MUTANTS[name]
    text = source_path(source).read_text()
    if old not in text:
        return f"{name}: {source} does not have the text to be replaced", False
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        objects = compile_mutant(build, commands_of, source, text.replace(old, new), folder)
        if source.startswith("port/"):
            port = pathlib.Path(source).stem.split("_")[0]
            tests = tests_in(build, "tests/unit/port", f"test_{port}*") + BEYOND.get(port, [])
            noticed = who_fails(build, objects, folder, tests)
            return f"| {name} | {what} | {', '.join(noticed) or '**nobody**'} |", bool(noticed)
        if source.startswith(("base/", "rpc/", "mem/")):
            of = source.split("/")[0]
            noticed = who_fails(build, objects, folder, tests_in(build, f"tests/unit/{of}", "test_*"))
            return f"| {name} | {what} | {', '.join(noticed) or '**nobody**'} |", bool(noticed)
        found = fails(link_mutant(build, "tests/sim/test_cluster", objects, folder), "--seconds", "60", "--failures",
                      "1", "keeps")
        if found:
            return f"| {name} | {what} | random lives, {found[0]:.1f} s: {found[1]} |", True
        noticed = who_fails(build, objects, folder, OTHERS + tests_in(build, "tests/unit/engine", "test_*"))
        return f"| {name} | {what} | {', '.join(noticed) or '**nobody**'} |", bool(noticed)


def main():
    if sys.argv[1:] == ["--check"]:
        for name in misfits():
            print(f"{name}: {MUTANTS[name][1]} does not have the text to be replaced")
        return 1 if misfits() else 0
    build = pathlib.Path(sys.argv[1]).resolve()
    commands_of = commands(build)
    all_noticed = True
    for name in sys.argv[2:] or MUTANTS:
        try:
            line, noticed = try_mutant(build, commands_of, name)
        except subprocess.CalledProcessError:
            line, noticed = f"| {name} | {MUTANTS[name][0]} | **does not build** |", False
        print(line, flush=True)
        all_noticed &= noticed
    return 0 if all_noticed else 1


if __name__ == "__main__":
    sys.exit(main())
