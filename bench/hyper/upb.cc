// upb as Debian ships it (0.0.0~git200730): the library and three headers of which two include what is not shipped,
// and no generator. Its generated code is tables, though (upb_msglayout), and those are built here at run time
// from protobuf C++'s descriptors, with the rules of its generator: bits of presence first, then the members by size.
// Its decoder lets strings point into the input, hence it is tern's aliasing mode that it stands beside.
#include <google/protobuf/descriptor.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "subject.h"

extern "C" {
struct upb_msglayout_field {
    uint32_t number;
    uint16_t offset;
    int16_t presence;
    uint16_t submsg_index;
    uint8_t descriptortype;
    uint8_t label;
};

struct upb_msglayout {
    const upb_msglayout *const *submsgs;
    const upb_msglayout_field *fields;
    uint16_t size;
    uint16_t field_count;
    bool extendable;
};

struct upb_arena;
struct upb_alloc;
extern upb_alloc upb_alloc_global;
upb_arena *upb_arena_init(void *block, size_t bytes, upb_alloc *alloc);
void upb_arena_free(upb_arena *arena);
void *_upb_msg_new(const upb_msglayout *layout, upb_arena *arena);
bool upb_decode(const char *data, size_t len, void *message, const upb_msglayout *layout, upb_arena *arena);
char *upb_encode(const void *message, const upb_msglayout *layout, upb_arena *arena, size_t *len);
}

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr size_t kArenaBytes = 32 << 20; // untouched pages cost nothing
constexpr uint8_t kLabelPacked = 7;

struct Layout {
    upb_msglayout table;
    std::vector<upb_msglayout_field> fields;
    std::vector<const upb_msglayout *> subs;
};

size_t member_bytes(const FieldDescriptor *field) {
    if (field->is_repeated()) return sizeof(void *);
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL: return 1;
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT64:
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_MESSAGE: return 8;
    case FieldDescriptor::CPPTYPE_STRING: return 16;
    default: return 4;
    }
}

// To upb a proto2 string is bytes: it is not checked.
uint8_t wire_type(const FieldDescriptor *field) {
    bool unchecked = field->type() == FieldDescriptor::TYPE_STRING &&
                     field->file()->syntax() == google::protobuf::FileDescriptor::SYNTAX_PROTO2;
    return static_cast<uint8_t>(unchecked ? FieldDescriptor::TYPE_BYTES : field->type());
}

const upb_msglayout *layout_of(const Descriptor *type) {
    static std::map<const Descriptor *, std::unique_ptr<Layout>> known;
    auto &slot = known[type];
    if (slot) return &slot->table;
    slot = std::make_unique<Layout>();
    Layout &l = *slot;
    std::map<int, const FieldDescriptor *> by_number;
    for (int i = 0; i < type->field_count(); i++) by_number[type->field(i)->number()] = type->field(i);

    int16_t n_bits = 1; // bit 0 means "no bit"
    for (auto &[number, field] : by_number) {
        upb_msglayout_field f = {static_cast<uint32_t>(number),
                                 0,
                                 0,
                                 0,
                                 wire_type(field),
                                 static_cast<uint8_t>(field->is_packed() ? kLabelPacked : field->label())};
        if (field->has_presence()) f.presence = n_bits++;
        l.fields.push_back(f);
    }
    size_t at = (static_cast<size_t>(n_bits) + 7) / 8;
    for (size_t bytes : {1, 4, 8, 16}) {
        size_t i = 0;
        for (auto &[number, field] : by_number) {
            if (member_bytes(field) == bytes) {
                size_t align = bytes < 8 ? bytes : 8;
                at = (at + align - 1) / align * align;
                l.fields[i].offset = static_cast<uint16_t>(at);
                at += bytes;
            }
            i++;
        }
    }
    l.table = {nullptr, l.fields.data(), static_cast<uint16_t>((at + 7) / 8 * 8),
               static_cast<uint16_t>(l.fields.size()), false};
    size_t i = 0;
    for (auto &[number, field] : by_number) {
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
            l.fields[i].submsg_index = static_cast<uint16_t>(l.subs.size());
            l.subs.push_back(layout_of(field->message_type()));
        }
        i++;
    }
    l.table.submsgs = l.subs.data();
    return &l.table;
}

struct State {
    const upb_msglayout *layout;
    void *block;
    upb_arena *arena; // holds the message
    void *message;
    void *encode_block;
};

void *open_type(const char *name) {
    const auto *type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    if (!type) return nullptr;
    return new State{layout_of(type), std::malloc(kArenaBytes), nullptr, nullptr, std::malloc(kArenaBytes)};
}

// Setting an arena up on a block that is large enough is upb's way of a reset.
bool decode(void *handle, const uint8_t *data, size_t len) {
    auto *s = static_cast<State *>(handle);
    if (s->arena) upb_arena_free(s->arena);
    s->arena = upb_arena_init(s->block, kArenaBytes, &upb_alloc_global);
    s->message = _upb_msg_new(s->layout, s->arena);
    return upb_decode(reinterpret_cast<const char *>(data), len, s->message, s->layout, s->arena);
}

// upb writes into memory of its own arena, not into the caller's buffer.
size_t encode(void *handle, uint8_t *, size_t) {
    auto *s = static_cast<State *>(handle);
    size_t len = 0;
    upb_arena *arena = upb_arena_init(s->encode_block, kArenaBytes, &upb_alloc_global);
    char *out = upb_encode(s->message, s->layout, arena, &len);
    upb_arena_free(arena);
    return out ? len : 0;
}

void close_type(void *handle) {
    auto *s = static_cast<State *>(handle);
    if (s->arena) upb_arena_free(s->arena);
    std::free(s->block);
    std::free(s->encode_block);
    delete s;
}

} // namespace

extern "C" const subject subject_upb = {"upb", open_type, decode, encode, nullptr, close_type};
