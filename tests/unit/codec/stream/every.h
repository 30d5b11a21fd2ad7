/* A program that writes one of everything to a stream and reads it again, compiled once for each setting of
 * tern/stream.h: SETTING is its name. */
#define EVERY__JOIN(a, b) a##_##b
#define EVERY_JOIN(a, b) EVERY__JOIN(a, b)
#define EVERY(name) EVERY_JOIN(name, SETTING)

#include "every_all.h"
#include "tern/stream.h"

static const double every_doubles[40] = {1.5, -2.25, 1e300, 0.0, 3.0};
static const uint16_t every_shorts[3] = {1, 0x1234, 0xffff};

void EVERY(every_put)(tern_writer *w) {
    tern_put_preamble(w, 7);
    tern_put_u8(w, 0xab);
    tern_put_u16(w, 0x1234);
    tern_put_i8(w, -5);
    tern_put_i32(w, -70000);
    tern_put_u64(w, 0x0123456789abcdef);
    tern_put_str(w, (tern_str){"pi", 2});
    tern_put_f64(w, 3.141592653589793);
    tern_put_bytes(w, (tern_bytes){"\0\1\2", 3});
    tern_put_i16(w, -2);
    tern_put_u32(w, 0xdeadbeef);
    tern_put_i64(w, INT64_MIN);
    tern_put_f32(w, 0.5f);
    tern_put_u16s(w, every_shorts, 3);
    tern_put_f64s(w, every_doubles, 40);
    tern_put_u8s(w, (const uint8_t *)"xyz", 3);
    tern_put_u32s(w, NULL, 0);
    tern_put_str(w, (tern_str){NULL, 0});
    tern_put_bytes(w, (tern_bytes){NULL, 0});
}

bool EVERY(every_get)(tern_reader *r, tern_arena *arena) {
    uint16_t shorts[3];
    double doubles[40];
    uint8_t letters[3];
    tern_get_preamble(r, 7);
    bool same = tern_get_u8(r) == 0xab && tern_get_u16(r) == 0x1234 && tern_get_i8(r) == -5;
    same = same && tern_get_i32(r) == -70000 && tern_get_u64(r) == 0x0123456789abcdef;
    tern_str s = tern_get_str(r, arena);
    same = same && s.len == 2 && !memcmp(s.data, "pi", 3);
    same = same && tern_get_f64(r) == 3.141592653589793;
    tern_bytes b = tern_get_bytes(r, arena);
    same = same && b.len == 3 && !memcmp(b.data, "\0\1\2", 3);
    same = same && tern_get_i16(r) == -2 && tern_get_u32(r) == 0xdeadbeef && tern_get_i64(r) == INT64_MIN;
    same = same && tern_get_f32(r) == 0.5f;
    tern_get_u16s(r, shorts, 3);
    same = same && !r->err && !memcmp(shorts, every_shorts, sizeof shorts);
    tern_get_f64s(r, doubles, 40);
    same = same && !r->err && !memcmp(doubles, every_doubles, sizeof doubles);
    tern_get_u8s(r, letters, 3);
    same = same && !r->err && !memcmp(letters, "xyz", 3);
    tern_get_u32s(r, NULL, 0);
    same = same && tern_get_str(r, arena).len == 0 && tern_get_bytes(r, arena).len == 0;
    return same && !r->err;
}
