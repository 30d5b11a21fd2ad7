// protobuf C++: each sequence is a message of packed doubles after its length, gathered in 64 KB.
#include <cstring>

#include "doubles.pb.h"
#include "run.h"

bool run_protobuf(const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    alignas(RUN_PAGE_BYTES) static char buffer[RUN_BUFFER_BYTES];
    size_t len = 0;
    bench::Doubles message;
    for (size_t i = 0; i < n_sequences; i++) {
        message.mutable_values()->Clear();
        message.mutable_values()->Add(values, values + n);
        size_t bytes = message.ByteSizeLong();
        if (bytes + 4 > sizeof buffer - len) {
            if (!run_write(m, buffer, len)) return false;
            len = 0;
        }
        uint32_t size = static_cast<uint32_t>(bytes);
        std::memcpy(buffer + len, &size, sizeof size);
        message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t *>(buffer + len + sizeof size));
        len += sizeof size + bytes;
    }
    return run_write(m, buffer, len);
}
