// See random_message.h.
#include "random_message.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include <cstring>

namespace fuzz {

using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::UnknownFieldSet;

static void fill(Message *message, Random *random, int depth);

static double random_double(Random *random) {
    uint64_t bits = interesting(random);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return random->chance(4) ? value : static_cast<double>(static_cast<int64_t>(bits >> 40)) / 4;
}

static float random_float(Random *random) {
    auto bits = static_cast<uint32_t>(interesting(random));
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return random->chance(4) ? value : static_cast<float>(bits >> 20) / 4;
}

// Proto3 wants UTF-8; elsewhere anything goes.
static std::string random_string(Random *random, bool utf8) {
    static const char *const pieces[] = {"a",    "Z9",          "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x90\xA6",
                                         "\x7F", "\xEF\xBF\xBF"};
    size_t n = random->chance(1000) ? random->below(20000)
               : random->chance(20) ? random->below(300)
                                    : random->below(12);
    std::string out;
    while (out.size() < n) {
        if (utf8 || random->chance(2))
            out += pieces[random->below(sizeof pieces / sizeof *pieces)];
        else
            out.push_back(static_cast<char>(random->next()));
    }
    return out;
}

static int random_enum(const EnumDescriptor *type, Random *random) {
    if (random->chance(4)) return static_cast<int>(interesting(random));
    return type->value(static_cast<int>(random->below(static_cast<uint64_t>(type->value_count()))))->number();
}

static void set_one(Message *m, const FieldDescriptor *f, Random *random, int depth) {
    const Reflection *r = m->GetReflection();
    bool utf8 = f->type() == FieldDescriptor::TYPE_STRING && f->file()->syntax() == FileDescriptor::SYNTAX_PROTO3;
    uint64_t bits = interesting(random);
    bool list = f->is_repeated();
    switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
        return list ? r->AddInt32(m, f, static_cast<int32_t>(bits)) : r->SetInt32(m, f, static_cast<int32_t>(bits));
    case FieldDescriptor::CPPTYPE_INT64:
        return list ? r->AddInt64(m, f, static_cast<int64_t>(bits)) : r->SetInt64(m, f, static_cast<int64_t>(bits));
    case FieldDescriptor::CPPTYPE_UINT32:
        return list ? r->AddUInt32(m, f, static_cast<uint32_t>(bits)) : r->SetUInt32(m, f, static_cast<uint32_t>(bits));
    case FieldDescriptor::CPPTYPE_UINT64: return list ? r->AddUInt64(m, f, bits) : r->SetUInt64(m, f, bits);
    case FieldDescriptor::CPPTYPE_BOOL: return list ? r->AddBool(m, f, bits & 1) : r->SetBool(m, f, bits & 1);
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return list ? r->AddDouble(m, f, random_double(random)) : r->SetDouble(m, f, random_double(random));
    case FieldDescriptor::CPPTYPE_FLOAT:
        return list ? r->AddFloat(m, f, random_float(random)) : r->SetFloat(m, f, random_float(random));
    case FieldDescriptor::CPPTYPE_ENUM: {
        int value = random_enum(f->enum_type(), random);
        return list ? r->AddEnumValue(m, f, value) : r->SetEnumValue(m, f, value);
    }
    case FieldDescriptor::CPPTYPE_STRING: {
        std::string text = random_string(random, utf8);
        return list ? r->AddString(m, f, text) : r->SetString(m, f, text);
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
        return fill(list ? r->AddMessage(m, f) : r->MutableMessage(m, f), random, depth + 1);
    }
}

static void add_unknown(UnknownFieldSet *set, Random *random, int depth) {
    int number =
        random->chance(2) ? static_cast<int>(300 + random->below(3)) : static_cast<int>(1000 + random->below(5));
    switch (random->below(5)) {
    case 0: set->AddVarint(number, interesting(random)); break;
    case 1: set->AddFixed64(number, interesting(random)); break;
    case 2: set->AddFixed32(number, static_cast<uint32_t>(interesting(random))); break;
    case 3: set->AddLengthDelimited(number, random_string(random, false)); break;
    default: {
        UnknownFieldSet *group = set->AddGroup(number);
        for (uint64_t n = depth < 3 ? random->below(3) : 0; n > 0; n--) add_unknown(group, random, depth + 1);
    }
    }
}

static void fill(Message *message, Random *random, int depth) {
    const auto *type = message->GetDescriptor();
    // Of a type with a hundred fields a few, of a small one many; rarely nearly all.
    auto n = static_cast<uint64_t>(type->field_count());
    uint64_t one_in = random->chance(30) && depth == 0 ? 2 : n < 6 ? 2 : n / (depth < 2 ? 6 : 2);
    for (int i = 0; i < type->field_count(); i++) {
        const FieldDescriptor *f = type->field(i);
        bool nests = f->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
        if (!f->is_required() && (!random->chance(one_in) || (nests && !f->is_map() && depth > 3))) continue;
        if (type->options().map_entry() && random->chance(4)) continue;
        if (!f->is_repeated()) {
            set_one(message, f, random, depth);
            continue;
        }
        for (uint64_t k = random->below(nests && depth > 0 ? 2 : 5); k > 0; k--) set_one(message, f, random, depth);
    }
    if (random->chance(5) && !type->options().map_entry())
        for (uint64_t k = 1 + random->below(3); k > 0; k--)
            add_unknown(message->GetReflection()->MutableUnknownFields(message), random, 0);
}

void fill_message(Message *message, Random *random) { fill(message, random, 0); }

} // namespace fuzz
