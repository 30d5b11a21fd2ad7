/* Streams for C++17: the same bytes as tern/stream.h, with the order of bytes and the type codes as template
 * arguments, as XBS has them (4.2.1, 4.2.2), so that one program may use several.
 *
 *     tern::stream_writer<> w(tern_sink_fd(fd));
 *     w.put(n).put(points, n).put("name");
 *     if (w.finish()) ...
 *
 *     tern::stream_reader<tern::order::peer, true> r(tern_source_fd(fd));
 *     auto n = r.get<uint32_t>();
 *     if (r.error()) ... r.explain()
 *
 * Errors, ownership and threads are tern/stream.h's. Objects are neither copied nor moved. */
#ifndef TERN_STREAM_HPP
#define TERN_STREAM_HPP

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "tern/stream.h"

namespace tern {

enum class order { native, swapped, peer };

namespace detail {

template <typename T> constexpr unsigned code_of() {
#define TERN__X(name, type, bits, code)                                                                                \
    if (std::is_same_v<T, type>) return code;
    TERN_STREAM_NUMBERS(TERN__X)
#undef TERN__X
    return 0;
}

template <typename T> T reversed(T value) {
    uint8_t bytes[sizeof(T)], back[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (size_t i = 0; i < sizeof value; i++) back[i] = bytes[sizeof value - 1 - i];
    std::memcpy(&value, back, sizeof value);
    return value;
}

template <order Order, bool Codes>
constexpr unsigned kind = TERN__KIND_USED | (Codes ? TERN__KIND_CODES : 0) |
                          (Order == order::peer ? TERN__KIND_PEER : 0) |
                          (Order == order::swapped ? TERN__KIND_SWAPPED : 0);

} // namespace detail

template <order Order = order::native, bool Codes = false> class stream_writer {
  public:
    explicit stream_writer(tern_sink sink, size_t buffer_bytes = 0) { tern_writer_init(&w_, sink, buffer_bytes); }
    stream_writer(void *memory, size_t bytes) { tern_writer_init_memory(&w_, memory, bytes); }
    stream_writer(const stream_writer &) = delete;
    stream_writer &operator=(const stream_writer &) = delete;
    ~stream_writer() {
        if (!finished_) tern_writer_fini(&w_);
    }

    template <typename T> stream_writer &put(T value) {
        static_assert(detail::code_of<T>() != 0, "streams have integers of 8 to 64 bits, float and double");
        code(detail::code_of<T>());
        number(value);
        return *this;
    }

    template <typename T> stream_writer &put(const T *values, size_t n) {
        static_assert(detail::code_of<T>() != 0, "streams have integers of 8 to 64 bits, float and double");
        if (Codes && n > UINT32_MAX) {
            tern_writer_fail(&w_, TERN_ERR_LIMIT);
            return *this;
        }
        code(TERN_CODE_ARRAY + detail::code_of<T>());
        if (Codes) number(static_cast<uint32_t>(n));
        if (n) tern__writer_array(&w_, values, n, sizeof(T), kind, Order == order::swapped && sizeof(T) > 1);
        return *this;
    }

    stream_writer &put(std::string_view s) { return blob(TERN_CODE_str, s.data(), s.size(), true); }
    stream_writer &put(const char *s) { return put(std::string_view(s)); }
    stream_writer &put(tern_bytes b) { return blob(TERN_CODE_bytes, b.data, b.len, false); }

    stream_writer &preamble(uint32_t content) {
        tern__writer_preamble(&w_, kind);
        number(content);
        return *this;
    }

    int flush() { return tern_writer_flush(&w_); }

    /* Flushes and ends; returns the writer's error, 0 if none. Without it the destructor does that, in silence. */
    int finish() {
        finished_ = true;
        return tern_writer_fini(&w_);
    }

    int error() const { return w_.err; }
    tern_bytes memory() const { return tern_writer_memory(&w_); }
    tern_writer *get() { return &w_; }

  private:
    static constexpr unsigned kind = detail::kind<Order, Codes>;

    void code(unsigned code) {
        if (Codes) tern__writer_code(&w_, code, kind);
    }

    template <typename T> void number(T value) {
        if (Order == order::swapped) value = detail::reversed(value);
        uint8_t *p = w_.at;
        if (tern__fitting(p, w_.limit, sizeof value) < SIZE_MAX / 16)
            w_.at = p + sizeof value;
        else
            p = static_cast<uint8_t *>(tern__writer_room(&w_, sizeof value, kind));
        std::memcpy(p, &value, sizeof value);
    }

    stream_writer &blob(unsigned what, const void *data, size_t n, bool nul) {
        if (n >= UINT32_MAX) {
            tern_writer_fail(&w_, TERN_ERR_LIMIT);
            return *this;
        }
        code(what);
        number(static_cast<uint32_t>(n + nul));
        tern__writer_blob(&w_, data, n, nul);
        return *this;
    }

    tern_writer w_;
    bool finished_ = false;
};

template <order Order = order::native, bool Codes = false> class stream_reader {
  public:
    explicit stream_reader(tern_source source, size_t buffer_bytes = 0) { tern_reader_init(&r_, source, buffer_bytes); }
    stream_reader(const void *memory, size_t bytes) { tern_reader_init_memory(&r_, memory, bytes); }
    stream_reader(const stream_reader &) = delete;
    stream_reader &operator=(const stream_reader &) = delete;
    ~stream_reader() { tern_reader_fini(&r_); }

    template <typename T> T get() {
        static_assert(detail::code_of<T>() != 0, "streams have integers of 8 to 64 bits, float and double");
        return code(detail::code_of<T>()) ? number<T>() : T{};
    }

    template <typename T> stream_reader &get(T *out, size_t n) {
        static_assert(detail::code_of<T>() != 0, "streams have integers of 8 to 64 bits, float and double");
        if (Codes && (!code(TERN_CODE_ARRAY + detail::code_of<T>()) || !tern__reader_count(&r_, n, number<uint32_t>())))
            return *this;
        if (n) tern__reader_array(&r_, out, n, sizeof(T), kind, swaps() && sizeof(T) > 1);
        return *this;
    }

    std::string get_string() {
        tern_bytes b = blob(TERN_CODE_str, true);
        return b.len ? std::string(static_cast<const char *>(b.data), b.len) : std::string();
    }

    /* Valid until the next get; longer than the reader's buffer they fail with TERN_ERR_LIMIT. */
    tern_bytes get_bytes() { return blob(TERN_CODE_bytes, false); }

    stream_reader &preamble(uint32_t content) {
        uint64_t at = tern_reader_offset(&r_);
        if (!tern__reader_preamble(&r_, kind)) return *this;
        uint32_t got = number<uint32_t>();
        if (!r_.err && got != content) tern__reader_content(&r_, content, got, at);
        return *this;
    }

    bool at_end() { return tern_reader_at_end(&r_); }
    int error() const { return r_.err; }
    std::string explain() const {
        char text[160];
        return tern_reader_explain(&r_, text, sizeof text);
    }
    tern_reader *get() { return &r_; }

  private:
    static constexpr unsigned kind = detail::kind<Order, Codes>;

    bool swaps() const { return Order == order::swapped || (Order == order::peer && r_.swapped); }
    bool code(unsigned code) { return !Codes || tern__reader_code(&r_, code, kind); }

    template <typename T> T number() {
        const uint8_t *p = r_.at;
        if (tern__fitting(p, r_.limit, sizeof(T)) < SIZE_MAX / 16)
            r_.at = p + sizeof(T);
        else
            p = static_cast<const uint8_t *>(tern__reader_room(&r_, sizeof(T), kind));
        T value;
        std::memcpy(&value, p, sizeof value);
        return swaps() ? detail::reversed(value) : value;
    }

    tern_bytes blob(unsigned what, bool nul) {
        if (!code(what)) return tern_bytes{nullptr, 0};
        return tern__reader_blob(&r_, number<uint32_t>(), nul, nullptr);
    }

    tern_reader r_;
};

} // namespace tern

#endif
