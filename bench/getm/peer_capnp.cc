// Cap'n Proto, twice: values copied into the builder's first segment, which is given to it (one for each place in
// the transmit ring) and large enough to stay the only one; and values referred to where they are, as segments of
// their own (Orphanage::referenceExternalData), which takes no reference on them: it is up to the
// application that they stay, so that mode promises less than tern does. It needs them aligned to words.
#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "getm.capnp.h"
#include "peer.h"

namespace {

constexpr size_t SEGMENT_WORDS = PACKET_BYTES / 8;

struct place {
    alignas(64) capnp::word segment[SEGMENT_WORDS];
    alignas(capnp::MallocMessageBuilder) char room[sizeof(capnp::MallocMessageBuilder)];
    capnp::MallocMessageBuilder *builder = nullptr;
    uint32_t table[MAX_VALUES + 4];

    // The builder wants its scratch memory zeroed, and leaves it so when it goes.
    capnp::MallocMessageBuilder *again() {
        if (builder) builder->~MallocMessageBuilder();
        builder = new (room) capnp::MallocMessageBuilder(kj::arrayPtr(segment, SEGMENT_WORDS));
        return builder;
    }
    place() { memset(segment, 0, sizeof segment); }
    ~place() {
        if (builder) builder->~MallocMessageBuilder();
    }
};

struct places {
    place ring[RING];
    std::vector<capnp::word> checked;
    capnp::FlatArrayMessageReader *reader = nullptr;
    ~places() { delete reader; }
};

// The framing of the encoding (number and sizes of segments), then the segments.
void name_pieces(place *p, emitted *out) {
    auto segments = p->builder->getSegmentsForOutput();
    size_t n = segments.size();
    if (n > MAX_VALUES + 2) abort();
    p->table[0] = static_cast<uint32_t>(n - 1);
    for (size_t i = 0; i < n; i++) p->table[i + 1] = static_cast<uint32_t>(segments[i].size());
    if (n % 2 == 0) p->table[n + 1] = 0;
    out->pieces[0] = {p->table, (n / 2 + 1) * 8};
    for (size_t i = 0; i < n; i++)
        out->pieces[i + 1] = {const_cast<capnp::word *>(segments[i].begin()), segments[i].size() * 8};
    out->n_pieces = n + 1;
}

} // namespace

extern "C" {

static void *open_places() { return new places; }
static void close_places(void *state) { delete static_cast<places *>(state); }

static void emit_copied(void *state, uint32_t id, const value *values, size_t n, emitted *out) {
    place *p = &static_cast<places *>(state)->ring[id % RING];
    auto m = p->again()->initRoot<bench_capnp::GetM>();
    m.setId(id);
    auto vals = m.initVals(static_cast<unsigned>(n));
    for (unsigned i = 0; i < n; i++)
        vals.set(i, capnp::Data::Reader(static_cast<const kj::byte *>(values[i].data), values[i].len));
    name_pieces(p, out);
}

static void emit_external(void *state, uint32_t id, const value *values, size_t n, emitted *out) {
    place *p = &static_cast<places *>(state)->ring[id % RING];
    auto builder = p->again();
    auto orphanage = builder->getOrphanage();
    auto m = builder->initRoot<bench_capnp::GetM>();
    m.setId(id);
    auto vals = m.initVals(static_cast<unsigned>(n));
    for (unsigned i = 0; i < n; i++)
        vals.adopt(i, orphanage.referenceExternalData(
                          capnp::Data::Reader(static_cast<const kj::byte *>(values[i].data), values[i].len)));
    name_pieces(p, out);
}

static bool check_places(void *state, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    places *s = static_cast<places *>(state);
    if (len % 8) return false;
    delete s->reader;
    s->reader = nullptr;
    s->checked.resize(len / 8);
    memcpy(s->checked.data(), data, len);
    s->reader = new capnp::FlatArrayMessageReader(kj::arrayPtr(s->checked.data(), len / 8));
    auto m = s->reader->getRoot<bench_capnp::GetM>();
    *id = m.getId();
    *n = m.getVals().size();
    for (unsigned i = 0; i < *n; i++) values[i] = {m.getVals()[i].begin(), m.getVals()[i].size()};
    return true;
}

const peer peer_capnp = {"capnp", open_places, emit_copied, check_places, close_places, true};
const peer peer_capnp_external = {"capnp-external", open_places, emit_external, check_places, close_places, true};
}
