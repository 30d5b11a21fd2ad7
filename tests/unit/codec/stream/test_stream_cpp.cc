/* The C++ wrapper (tern/stream.hpp): the same bytes as C, several orders in one program, errors. */
#include "tern/stream.hpp"

#include <cstdio>

extern "C" {
#include "every_all.h"
}

static int failed, number;

static void report(bool good, const char *name) {
    std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, name);
    failed += !good;
}

template <typename Writer> static void put_every(Writer &w) {
    static const double doubles[40] = {1.5, -2.25, 1e300, 0.0, 3.0};
    static const uint16_t shorts[3] = {1, 0x1234, 0xffff};
    w.preamble(7).put(uint8_t{0xab}).put(uint16_t{0x1234}).put(int8_t{-5}).put(int32_t{-70000});
    w.put(uint64_t{0x0123456789abcdef}).put("pi").put(3.141592653589793).put(tern_bytes{"\0\1\2", 3});
    w.put(int16_t{-2}).put(uint32_t{0xdeadbeef}).put(INT64_MIN).put(0.5f).put(shorts, 3).put(doubles, 40);
    w.put(reinterpret_cast<const uint8_t *>("xyz"), 3).put(static_cast<const uint32_t *>(nullptr), 0);
    w.put("").put(tern_bytes{nullptr, 0});
}

template <typename Writer> static bool same_as(void put(tern_writer *)) {
    alignas(8) uint8_t ours[1024], theirs[1024];
    tern_writer c;
    tern_writer_init_memory(&c, theirs, sizeof theirs);
    put(&c);
    tern_bytes want = tern_writer_memory(&c);
    Writer w(ours, sizeof ours);
    put_every(w);
    tern_bytes got = w.memory();
    return got.len == want.len && want.len && !std::memcmp(ours, theirs, want.len) && !w.finish();
}

template <typename Writer, typename Reader> static bool round_trip() {
    alignas(8) uint8_t bytes[1024];
    Writer w(bytes, sizeof bytes);
    put_every(w);
    Reader r(bytes, w.memory().len);
    r.preamble(7);
    bool same = r.template get<uint8_t>() == 0xab && r.template get<uint16_t>() == 0x1234 &&
                r.template get<int8_t>() == -5 && r.template get<int32_t>() == -70000 &&
                r.template get<uint64_t>() == 0x0123456789abcdef && r.get_string() == "pi" &&
                r.template get<double>() == 3.141592653589793 && r.get_bytes().len == 3 &&
                r.template get<int16_t>() == -2 && r.template get<uint32_t>() == 0xdeadbeef &&
                r.template get<int64_t>() == INT64_MIN && r.template get<float>() == 0.5f;
    uint16_t shorts[3];
    double doubles[40];
    uint8_t letters[3];
    r.get(shorts, 3).get(doubles, 40).get(letters, 3).get(static_cast<uint32_t *>(nullptr), 0);
    same = same && shorts[1] == 0x1234 && doubles[1] == -2.25 && letters[2] == 'z';
    return same && r.get_string().empty() && !r.get_bytes().len && r.at_end() && !r.error();
}

static bool mismatch_is_named() {
    alignas(8) uint8_t bytes[64];
    tern::stream_writer<tern::order::native, true> w(bytes, sizeof bytes);
    w.put(uint32_t{1});
    tern::stream_reader<tern::order::native, true> r(bytes, w.memory().len);
    return r.get<double>() == 0.0 && r.error() == TERN_ERR_MALFORMED &&
           r.explain() == "f64 was read where u32 was written, at offset 0";
}

int main() {
    using tern::order;
    report(same_as<tern::stream_writer<>>(every_put_native), "stream_writer__native_as_in_c");
    report(same_as<tern::stream_writer<order::swapped>>(every_put_swapped), "stream_writer__swapped_as_in_c");
    report(same_as<tern::stream_writer<order::native, true>>(every_put_codes), "stream_writer__codes_as_in_c");
    report(round_trip<tern::stream_writer<>, tern::stream_reader<>>(), "stream_reader__native");
    report(round_trip<tern::stream_writer<order::swapped>, tern::stream_reader<order::swapped>>(),
           "stream_reader__swapped");
    report(round_trip<tern::stream_writer<order::swapped>, tern::stream_reader<order::peer>>(),
           "stream_reader__makes_right");
    report(round_trip<tern::stream_writer<order::native, true>, tern::stream_reader<order::native, true>>(),
           "stream_reader__codes");
    report(mismatch_is_named(), "stream_reader__mismatch_names_both");
    std::printf("1..%d\n", number);
    return failed != 0;
}
