// protobuf C++, twice: one message used again and again, whose strings keep their memory (the manual's first advice),
// and a message on an arena with a block of its own, reset for each message (its second). Both write into the packet.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "getm.pb.h"
#include "peer.h"

namespace {

void fill(bench::GetM *m, uint32_t id, const value *values, size_t n) {
    m->set_id(id);
    m->mutable_vals()->Reserve(static_cast<int>(n));
    for (size_t i = 0; i < n; i++) m->add_vals(values[i].data, values[i].len);
}

void write(const bench::GetM &m, emitted *out) {
    size_t bytes = m.ByteSizeLong();
    if (bytes > PACKET_BYTES) abort();
    m.SerializeWithCachedSizesToArray(out->packet);
    out->pieces[0] = {out->packet, bytes};
    out->n_pieces = 1;
}

bool read(bench::GetM *m, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    if (!m->ParseFromArray(data, static_cast<int>(len))) return false;
    *id = m->id();
    *n = static_cast<size_t>(m->vals_size());
    for (int i = 0; i < m->vals_size(); i++) values[i] = {m->vals(i).data(), m->vals(i).size()};
    return true;
}

struct reused {
    bench::GetM message, checked;
};

struct on_arena {
    on_arena() : block(65536), arena(block.data(), block.size()) {}
    std::vector<char> block;
    google::protobuf::Arena arena;
    bench::GetM checked;
};

} // namespace

extern "C" {

static void *open_reused() { return new reused; }
static void close_reused(void *state) { delete static_cast<reused *>(state); }

static void emit_reused(void *state, uint32_t id, const value *values, size_t n, emitted *out) {
    bench::GetM *m = &static_cast<reused *>(state)->message;
    m->Clear();
    fill(m, id, values, n);
    write(*m, out);
}

static bool check_reused(void *state, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    return read(&static_cast<reused *>(state)->checked, data, len, id, values, n);
}

static void *open_arena() { return new on_arena; }
static void close_arena(void *state) { delete static_cast<on_arena *>(state); }

static void emit_arena(void *state, uint32_t id, const value *values, size_t n, emitted *out) {
    google::protobuf::Arena *arena = &static_cast<on_arena *>(state)->arena;
    arena->Reset();
    bench::GetM *m = google::protobuf::Arena::CreateMessage<bench::GetM>(arena);
    fill(m, id, values, n);
    write(*m, out);
}

static bool check_arena(void *state, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    return read(&static_cast<on_arena *>(state)->checked, data, len, id, values, n);
}

const peer peer_protobuf = {"protobuf", open_reused, emit_reused, check_reused, close_reused, true};
const peer peer_protobuf_arena = {"protobuf-arena", open_arena, emit_arena, check_arena, close_arena, true};
}
