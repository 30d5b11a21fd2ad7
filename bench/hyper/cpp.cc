// protobuf C++: one message object parsed into again and again, which is what its authors advise; and a message on
// an arena that is reset for each, its first block large enough for all of it.
#include <google/protobuf/arena.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <vector>

#include "bench0.pb.h"
#include "bench1.pb.h"
#include "bench2.pb.h"
#include "ints.pb.h"
#include "subject.h"

namespace {

using google::protobuf::Arena;
using google::protobuf::ArenaOptions;
using google::protobuf::Message;

constexpr size_t kArenaBytes = 256 << 10;

// Descriptors of a file are known once something of it is used.
void link_all() {
    bench0::M1::descriptor();
    bench1::M1::descriptor();
    bench2::M1::descriptor();
    ints::Flat::descriptor();
}

const Message *prototype(const char *name) {
    link_all();
    const auto *type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    return type ? google::protobuf::MessageFactory::generated_factory()->GetPrototype(type) : nullptr;
}

struct Reused {
    std::unique_ptr<Message> message;
};

void *open_reused(const char *name) {
    const Message *type = prototype(name);
    return type ? new Reused{std::unique_ptr<Message>(type->New())} : nullptr;
}

bool decode_reused(void *handle, const uint8_t *data, size_t len) {
    return static_cast<Reused *>(handle)->message->ParseFromArray(data, static_cast<int>(len));
}

size_t encode_message(const Message &message, uint8_t *out, size_t cap) {
    if (!message.SerializeToArray(out, static_cast<int>(cap))) return 0;
    return static_cast<size_t>(message.GetCachedSize());
}

size_t encode_reused(void *handle, uint8_t *out, size_t cap) {
    return encode_message(*static_cast<Reused *>(handle)->message, out, cap);
}

size_t memory_reused(void *handle) { return static_cast<Reused *>(handle)->message->SpaceUsedLong(); }

void close_reused(void *handle) { delete static_cast<Reused *>(handle); }

struct OnArena {
    const Message *type;
    Message *message;
    std::vector<char> block;
    std::unique_ptr<Arena> arena;
};

void *open_arena(const char *name) {
    const Message *type = prototype(name);
    if (!type) return nullptr;
    auto *s = new OnArena{type, nullptr, std::vector<char>(kArenaBytes), nullptr};
    ArenaOptions options;
    options.initial_block = s->block.data();
    options.initial_block_size = s->block.size();
    s->arena = std::make_unique<Arena>(options);
    return s;
}

bool decode_arena(void *handle, const uint8_t *data, size_t len) {
    auto *s = static_cast<OnArena *>(handle);
    s->arena->Reset();
    s->message = s->type->New(s->arena.get());
    return s->message->ParseFromArray(data, static_cast<int>(len));
}

size_t encode_arena(void *handle, uint8_t *out, size_t cap) {
    return encode_message(*static_cast<OnArena *>(handle)->message, out, cap);
}

size_t memory_arena(void *handle) { return static_cast<OnArena *>(handle)->message->SpaceUsedLong(); }

void close_arena(void *handle) { delete static_cast<OnArena *>(handle); }

} // namespace

extern "C" const subject subject_cpp_reuse = {"protobuf C++, reused", open_reused,   decode_reused,
                                              encode_reused,          memory_reused, close_reused};
extern "C" const subject subject_cpp_arena = {"protobuf C++, arena", open_arena,   decode_arena,
                                              encode_arena,          memory_arena, close_arena};
