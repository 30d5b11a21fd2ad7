#!/usr/bin/env python3
"""Breaks the engine on purpose, one rule at a time, and sees which test notices, and how fast.

usage: scripts/mutants.py BUILD_DIR [NAME...]

A mutant is one file of src/engine with a piece of text replaced, compiled aside and linked before libtern: the sources
stay as they are. Of a header both ways (direct.c, client.c, server.c) and the random lives' calls are compiled with it. First the
random lives of clusters are tried (tests/sim/test_cluster), then the other tests of the engine. A mutant that no test notices is a hole in the tests; the exit status says whether there is one.
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
OTHERS = ["tests/sim/test_failure", "tests/sim/test_scenarios", "tests/sim/test_trace", "tests/fault/test_fault_engine"]
SECONDS = 180
CALLS = "tests/sim/model_calls.c"

# Name: what is broken, in which file, which text, what replaces it.
MUTANTS = {
    "old-request-runs": ("an older request runs again", "server.c",
                         "ahead < 0 || (ahead > 0 && h->pkt > first)", "ahead < -800 || (ahead > 0 && h->pkt > first)"),
    "repeat-runs": ("a repeated request runs again, the short way", "direct.c",
                    "(int32_t)(req - ss->s.reqs[i]) <= 0", "(int32_t)(req - ss->s.reqs[i]) < 0"),
    "repeat-runs-long": ("a repeated request runs again while it runs", "server.c",
                         "    if (served->state == TERN__SERVED_RUNNING)\n        credit_return(ss, served, h->pkt, h->attempt);",
                         "    if (served->state == TERN__SERVED_RUNNING)\n"
                         "        run(ss, served, served->held, ss->s.engine->now);"),
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
                     "if (e->stalled.prev != node || e->stats.tx_packets == n_sent) continue;",
                     "if (e->stalled.prev == node || n_sent) continue;"),
    "slots-kept": ("a session keeps its slots for ever", "client.c",
                   "    tern__client_give_slots(cs);\n    if (cs->slots) tern__work_set(", "    if (cs->slots) tern__work_set("),
    "misplaced": ("a response packet is put into the wrong place", "client.c",
                  "tern__payload_copy(pkt, header_bytes, slot->in + at);",
                  "tern__payload_copy(pkt, header_bytes, slot->in + (at ? at - cs->s.payload_bytes : 0));"),
    "whole-too-early": ("a request counts as whole with its last packet", "server.c",
                        "    bool whole = served->base == served->n_pkts, last",
                        "    bool whole = h->pkt + 1 == served->n_pkts, last"),
    "aliased": ("a request is let go before the response that aliases it is sent", "server.c",
                "    served->status = TERN_STATUS_OK;\n    return true;",
                "    served->status = TERN_STATUS_OK;\n    release_request(ss->s.engine, served);\n    return true;"),
    "no-limbo": ("a message is freed though the link may still read it", "message.c",
                 "if (out->link->holds_refs || !out->posted)", "if (true)"),
    "backlog-forgotten": ("calls in the backlog of a lost session do not end", "client.c",
                          "tell_end_of_waiting(cs->s.engine, TERN__CONTAINER(list->next, tern__out, node), status);",
                          "tern__out_release(cs->s.engine, TERN__CONTAINER(list->next, tern__out, node));"),
    "ends-twice": ("a call that its deadline ended ends twice", "client.c",
                   "        complete(cs, i, TERN_STATUS_DEADLINE_EXCEEDED, NULL, now);",
                   "        if (slot->phase != TERN__SLOT_STREAM)\n"
                   "            tell_end(cs->s.engine, slot->call, NULL, TERN_STATUS_DEADLINE_EXCEEDED, NULL);\n"
                   "        complete(cs, i, TERN_STATUS_DEADLINE_EXCEEDED, NULL, now);"),
    "no-deadline-in-backlog": ("a call waits in the backlog beyond its deadline", "client.c",
                               "    if (cs->s.ccold->backlog_deadline <= now) expire_backlog(cs, now);",
                               "    if (cs->s.ccold->backlog_deadline <= now) cs->s.ccold->backlog_deadline = TERN__NEVER;"),
    "deadline-unit": ("a deadline travels in the wrong unit", "client.c",
                      "(slot->deadline - now + 999) / 1000", "(slot->deadline - now + 999) / 1024"),
    "no-timer": ("what waited for a full link is not timed", "client.c",
                 "    tern__work_lower(cs, slot_due(cs, slot));\n    return true;", "    return true;"),
    "no-retransmission": ("what is lost is not sent again", "client.c",
                          "        resend_some(cs, slot, now);\n    } else if (send_pkt(cs, slot, 0, now)) {",
                          "        (void)resend_some;\n    } else if (0) {"),
    "no-tag": ("a packet's tag is not looked at", "engine.c",
               "((h->flags & TERN__PKT_TAG) && h->tag == s->rx_tag)", "true"),
    "no-tag-short": ("the same, the short way", "direct.c",
                     "tern__load64(p + 24) != s->rx_tag", "tern__load64(p + 24) == 1"),
    "crowd-once": ("with many sessions only the first packet of a batch is handled", "direct.c",
                   "    uint32_t n = pkt->n_more + 1;\n    look_first(e, pkt, n);",
                   "    tern__rx_packet one = *pkt;\n    uint32_t n = 1;\n    one.n_more = 0;\n    pkt = &one;\n"
                   "    look_first(e, pkt, n);"),
    "crowd-as-lump": ("with many sessions places of a lane are read as packets of one length", "direct.c",
                      "    if (pkt->lane)\n        rx_lane_lump(e, pkt, n);", "    if (0)\n        rx_lane_lump(e, pkt, n);"),
    "ahead-nobody": ("the replies of a session that is not there are prefetched", "direct.c",
                     "    if (s && s->role == TERN__SERVER && i <", "    if (s->role == TERN__SERVER && i <"),
    "lump-dense": ("packets of a batch lie side by side whatever the stride", "direct.c",
                   "    for (; left; left--, p += pkt->stride) {\n        if (looks)",
                   "    for (; left; left--, p += pkt->head_len) {\n        if (looks)"),
    "lump-short-last": ("the last packet of a batch is dropped", "direct.c",
                        "    uint32_t left = pkt->n_more + 1;", "    uint32_t left = pkt->n_more + !pkt->n_more;"),
    "lane-one-length": ("packets in places are as long as the first", "direct.c",
                        "        uint64_t len = tern__lane_length(p);", "        uint64_t len = tern__lane_length(pkt->head);"),
    "lane-last": ("the last place of a batch is left out", "direct.c",
                  "(size_t)(pkt->n_more + 1) * TERN__LANE_PLACE_BYTES",
                  "(size_t)(pkt->n_more + !pkt->n_more) * TERN__LANE_PLACE_BYTES"),
    "lane-draining": ("a session whose server goes away keeps its run", "internal.h",
                      "(cs->draining || cs->slot_mask != UINT8_MAX)", "(cs->slot_mask != UINT8_MAX)"),
    "number-short": ("a packet sent the short way has the number of the one before", "direct.c",
                     "(uint64_t)tern__next_number(s) << 32", "(uint64_t)s->tx_number << 32"),
    "lane-aux": ("a message in a lane has the wrong method", "direct.h",
                 "req, x, raw.data", "req, x + 1, raw.data"),
    "row-any-length": ("a row takes a packet of another length", "link.h",
                       "row->packet_bytes != packet_bytes || ", ""),
    "row-any-route": ("a row takes a packet to another peer", "link.h",
                      " || !tern__route_eq(&row->route, route)", ""),
    "row-untagged": ("a packet in a row has no tag", "direct.c",
                     "tern__store64(place + 24, s->tx_tag);", "tern__store64(place + 24, 0);"),
    "no-proof": ("a REFUSE need not prove anything", "table.c", ": s->tx_tag == secret) return s;",
                 ": true) return s;"),
    "impatient": ("a peer is dead after a sixteenth of the time", "client.c",
                  "now - since >= (tern_time)cs->s.engine->config.peer_timeout",
                  "now - since >= (tern_time)cs->s.engine->config.peer_timeout / 16"),
    "no-probes-needed": ("a peer is dead though nobody asked it", "client.c",
                         " || cs->s.probes < MIN_SILENT_PROBES)", ")"),
    "never-reaped": ("a server keeps the sessions of dead clients", "server.c",
                     "if (s->probes >= N_PINGS) {", "if (s->probes >= N_PINGS && s->probes > 1u << 30) {"),
    "no-disconnect": ("a server does not hear that a client goes", "session.c",
                      "    if (s->role == TERN__SERVER)\n        tern__server_drop((tern__ssession *)s, TERN__WHY_DISCONNECTED);\n    else\n",
                      "    if (s->role != TERN__SERVER)\n"),
    "leaked-window": ("a window is not freed", "call.h", "    tern_unref(slot->win);\n", ""),
    "uncounted": ("memory for responses stays charged", "client.c",
                  "    respond_ok(cs, i, in, size, now);\n    tern__engine_uncharge(e, size);",
                  "    respond_ok(cs, i, in, size, now);"),
    "restless": ("an idle client's timer goes on and on", "client.c",
                 "    return cs->unreported ? tern__min_time(due, cs->report_at) : due;",
                 "    return tern__min_time(due, cs->s.engine->now + 1000000);"),
    "no-report": ("a server does not hear which calls have ended", "report.c",
                  "    if (send_report(cs))\n", "    if (cs->n_reports == 77 && send_report(cs))\n"),
    "same-number": ("a session's number does not change with its use", "table.c",
                    "uint32_t generation = ++s->engine->places[i].generation & GENERATION_MASK;",
                    "uint32_t generation = s->engine->places[i].generation & GENERATION_MASK;"),
    "any-token": ("an ACCEPT of another CONNECT is taken", "table.c", " && s->cold->token == token;", ";"),
    "any-route": ("a packet of another route is taken", "engine.c",
                  "s->link == pkt->link && tern__route_eq(&s->route, &pkt->route) &&", "s->link == pkt->link &&"),
    "twice-connected": ("a repeated CONNECT makes another session", "table.c",
                        "s->role == TERN__SERVER && s->cold->token == secret",
                        "s->role == TERN__SERVER && s->cold->token == secret + 1"),
    "gone-orphans": ("on_gone is not called for orphans", "server.c",
                     "    if (tern__list_empty(&ss->s.scold->orphans)) return NULL;\n", "    return NULL;\n"),
    "no-retry": ("a full link is not tried again", "engine.c",
                 "    if (!tern__list_empty(&e->stalled)) retry_stalled(e, now);\n", ""),
    "lost-cr": ("a reliable link that is full swallows CRs", "server.c",
                "    if (send_cr(ss, served) || !ss->s.link->reliable) return;\n    served->cr_pending = true;",
                "    if (send_cr(ss, served) || ss) return;\n    served->cr_pending = true;"),
    "no-credits": ("more packets are in flight than there are credits", "client.c",
                   "while (cs->unsent && cs->in_flight < cs->credits) {", "while (cs->unsent) {"),
    "go-back-n": ("all is sent again when one packet is lost", "client.c",
                  "    resend(cs, slot, lost, now);", "    resend(cs, slot, tern__win_missing(slot->win), now);"),
    "cancelled-anyhow": ("a call that was given up goes on", "cancel.c",
                         "        tern__client_abandon(cs, i, now);\n", ""),
    "stream-no-grant": ("a stream's writer does not wait for room", "stream.c",
                        "    uint64_t granted = st->tx_limit - st->tx_sent;", "    uint64_t granted = ready;"),
    "stream-disorder": ("early packets of a stream are handed on at once", "stream.c",
                        "    if (ahead == 0 && !beyond) {", "    if (ahead < 3 && !beyond) {"),
    "stream-early-twice": ("an early packet that comes twice is kept twice", "stream.c",
                           "    if (loss->early_mask >> ahead & 1) return true;\n", ""),
    "stream-uncounted": ("memory for early packets stays charged", "stream.c",
                         "        tern__engine_uncharge(st->session->engine, len);\n        alive", "        alive"),
    "stream-unsaid-end": ("a stream that is finished is not known to be", "stream_state.c",
                          "    [TERN__EV_FINISHED] = {[TERN__SEND_SEND] = TERN__SEND_SIZE_KNOWN},\n", ""),
    "wheel-unheard": ("who waits in the wheel waits for something else to happen", "engine.c",
                      "    if (e->wheel) due = tern__min_time(due, tern__wheel_next(e->wheel));\n", ""),
    "wheel-stuck": ("the wheel lets nobody go", "engine.c", "    if (e->wheel) tern__pace_run_wheel(e, now);\n", ""),
    "open-gate": ("any cookie is good", "connect.c",
                  "tern__gate_is_open(&e->gate, &client, in->cookie, now)", "in->cookie"),
    "any-length": ("an answer to a stranger may be longer than what came", "refuse.c",
                   "    if (packet_bytes(pkt) < answer_bytes) return false;\n", ""),
    "all-slots": ("a client uses more slots than its server offers", "client.c",
                  "return cs->free_slots & cs->slot_mask;", "return cs->free_slots;"),
    "all-begun": ("a client does not believe which calls have not begun", "client.c",
                  "(begun && (int32_t)(cs->s.reqs[i] - begun[i]) > 0)", "false"),
}


def commands(build):
    """The compile command of each engine file, as argument lists; not that of the bench for its own library."""
    out = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if path.parent == ROOT / "src/engine" and "TERN__FACTORS" not in entry["command"]:
            out[path.name] = shlex.split(entry["command"])
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
        (folder / source).write_text(text)
        return {source: compile_with(build, commands_of[source], folder / source, source, folder)}
    (folder / "engine").mkdir()
    (folder / "engine" / source).write_text(text)
    paths = {name: ROOT / "src/engine" / name for name in ("direct.c", "client.c", "server.c")}
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
    why = [line for line in done.stdout.splitlines() if line.startswith("# ") and "replay" not in line]
    return time.monotonic() - start, why[0][2:] if why else f"exit status {done.returncode}"


def try_mutant(build, commands_of, name):
    what, source, old, new = MUTANTS[name]
    text = (ROOT / "src/engine" / source).read_text()
    if old not in text:
        return f"{name}: {source} does not have the text to be replaced", False
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        objects = compile_mutant(build, commands_of, source, text.replace(old, new), folder)
        found = fails(link_mutant(build, "tests/sim/test_cluster", objects, folder), "--seconds", "60", "--failures",
                      "1", "keeps")
        if found:
            return f"| {name} | {what} | random lives, {found[0]:.1f} s: {found[1]} |", True
        others = OTHERS + sorted(str(p.relative_to(build)) for p in (build / "tests/unit/engine").glob("test_engine_*")
                                 if p.is_file())
        noticed = []
        for program in others:
            found = fails(link_mutant(build, program, objects, folder))
            if found:
                noticed.append(pathlib.Path(program).name)
        return f"| {name} | {what} | {', '.join(noticed) or '**nobody**'} |", bool(noticed)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    commands_of = commands(build)
    all_noticed = True
    for name in sys.argv[2:] or MUTANTS:
        line, noticed = try_mutant(build, commands_of, name)
        print(line, flush=True)
        all_noticed &= noticed
    return 0 if all_noticed else 1


if __name__ == "__main__":
    sys.exit(main())
