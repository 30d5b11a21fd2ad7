// FlatBuffers: builders used again and again, one for each place in the transmit ring. The values are copied into the
// builder's buffer, which is the encoding.
#include <cstdlib>

#include "getm_generated.h"
#include "peer.h"

namespace {

struct builders {
    flatbuffers::FlatBufferBuilder builder[RING];
};

} // namespace

extern "C" {

static void *open_builders() { return new builders; }
static void close_builders(void *state) { delete static_cast<builders *>(state); }

static void emit_builder(void *state, uint32_t id, const value *values, size_t n, emitted *out) {
    flatbuffers::FlatBufferBuilder *b = &static_cast<builders *>(state)->builder[id % RING];
    flatbuffers::Offset<flatbuffers::String> offsets[MAX_VALUES];
    b->Clear();
    for (size_t i = 0; i < n; i++)
        offsets[i] = b->CreateString(static_cast<const char *>(values[i].data), values[i].len);
    auto vals = b->CreateVector(offsets, n);
    bench_fb::GetMBuilder m(*b);
    m.add_vals(vals);
    m.add_id(id);
    b->Finish(m.Finish());
    out->pieces[0] = {b->GetBufferPointer(), b->GetSize()};
    out->n_pieces = 1;
}

static bool check_builder(void *, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    flatbuffers::Verifier verifier(data, len);
    if (!bench_fb::VerifyGetMBuffer(verifier)) return false;
    const bench_fb::GetM *m = bench_fb::GetGetM(data);
    *id = m->id();
    *n = m->vals() ? m->vals()->size() : 0;
    for (unsigned i = 0; i < *n; i++) values[i] = {m->vals()->Get(i)->data(), m->vals()->Get(i)->size()};
    return true;
}

const peer peer_flatbuffers = {"flatbuffers", open_builders, emit_builder, check_builder, close_builders, true};
}
