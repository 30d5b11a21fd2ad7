// See wire_tree.h.
#include "wire_tree.h"

#include <algorithm>

namespace fuzz {

Random::Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) {
    if (state_ == 0) state_ = 1;
    for (int i = 0; i < 4; i++) next();
}

uint64_t Random::next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
}

std::string varint(uint64_t value, unsigned padding) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
    if (padding == 0) {
        out.push_back(static_cast<char>(value));
        return out;
    }
    out.push_back(static_cast<char>(value | 0x80));
    for (unsigned i = 1; i < padding; i++) out.push_back(static_cast<char>(0x80));
    out.push_back(0);
    return out;
}

uint64_t interesting(Random *random) {
    static const uint64_t ends[] = {0,
                                    1,
                                    2,
                                    13,
                                    127,
                                    128,
                                    255,
                                    16383,
                                    16384,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF,
                                    0x100000000,
                                    0x7FFFFFFFFFFFFFFF,
                                    0x8000000000000000,
                                    0xFFFFFFFFFFFFFFFF,
                                    0xFFFFFFFF80000000,
                                    0xFFFFFFFFFFFFFFFD,
                                    0x7FC00000,
                                    0x7FF8000000000000,
                                    0x7F800001};
    switch (random->below(4)) {
    case 0: return ends[random->below(sizeof ends / sizeof *ends)];
    case 1: return random->below(200);
    case 2: return random->next() >> random->below(64);
    default: return random->next();
    }
}

// ---- Reading and writing

static bool read_varint(const std::string &bytes, size_t *at, uint64_t *value, std::string *raw) {
    *value = 0;
    for (size_t i = 0; i < 10 && *at + i < bytes.size(); i++) {
        auto byte = static_cast<uint8_t>(bytes[*at + i]);
        if (i < 9 || byte < 2) *value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            *raw = bytes.substr(*at, i + 1);
            *at += i + 1;
            return true;
        }
    }
    return false;
}

static bool parse_fields(const std::string &bytes, size_t *at, uint32_t group, Tree *tree, int depth);

static bool parse_value(const std::string &bytes, size_t *at, Node *node, int depth) {
    uint64_t value;
    std::string raw;
    size_t fixed = node->wire == 1 ? 8 : 4;
    switch (node->wire) {
    case 0: return read_varint(bytes, at, &value, &node->value);
    case 1:
    case 5:
        if (bytes.size() - *at < fixed) return false;
        node->value = bytes.substr(*at, fixed);
        *at += fixed;
        return true;
    case 2:
        if (!read_varint(bytes, at, &value, &raw) || value > bytes.size() - *at) return false;
        node->value = bytes.substr(*at, value);
        *at += value;
        if (value > 1 && parse_tree(node->value, &node->children, depth + 1)) {
            node->has_children = true;
            node->value.clear();
        }
        return true;
    case 3: node->has_children = true; return parse_fields(bytes, at, node->number, &node->children, depth + 1);
    default: return false;
    }
}

// Up to the end of the bytes, or of the group with this number.
static bool parse_fields(const std::string &bytes, size_t *at, uint32_t group, Tree *tree, int depth) {
    if (depth > 120) return false;
    tree->clear();
    while (*at < bytes.size()) {
        Node node;
        uint64_t tag;
        if (!read_varint(bytes, at, &tag, &node.tag) || tag >> 3 == 0 || tag > 0xFFFFFFFF) return false;
        node.number = static_cast<uint32_t>(tag >> 3);
        node.wire = tag & 7;
        if (node.wire == 4) return group == node.number;
        if (!parse_value(bytes, at, &node, depth)) return false;
        tree->push_back(std::move(node));
    }
    return group == 0;
}

bool parse_tree(const std::string &bytes, Tree *tree, int depth) {
    size_t at = 0;
    if (parse_fields(bytes, &at, 0, tree, depth)) return true;
    tree->clear();
    return false;
}

static void write_node(const Node &node, std::string *out) {
    *out += node.tag;
    if (node.wire == 2) {
        std::string content = node.has_children ? write_tree(node.children) : node.value;
        *out += varint(static_cast<uint64_t>(static_cast<int64_t>(content.size()) + node.length_bias));
        *out += content;
    } else if (node.wire == 3) {
        *out += write_tree(node.children);
        *out += varint(static_cast<uint64_t>(node.number) << 3 | 4);
    } else {
        *out += node.value;
    }
}

std::string write_tree(const Tree &tree) {
    std::string out;
    for (const Node &node : tree) write_node(node, &out);
    return out;
}

// ---- Changes

static void set_tag(Node *node, uint32_t number, uint32_t wire, unsigned padding) {
    node->number = number;
    node->wire = wire;
    node->tag = varint(static_cast<uint64_t>(number) << 3 | wire, padding);
}

static std::string fixed(uint64_t value, size_t n) {
    std::string out;
    for (size_t i = 0; i < n; i++) out.push_back(static_cast<char>(value >> (8 * i)));
    return out;
}

static uint32_t random_number(Random *random) {
    switch (random->below(8)) {
    case 0: return 536870911;
    case 1: return 2000;
    case 2: return static_cast<uint32_t>(300 + random->below(100));
    case 3: return static_cast<uint32_t>(1 + random->below(3));
    default: return static_cast<uint32_t>(1 + random->below(145));
    }
}

std::string random_field(Random *random, int depth) {
    static const uint32_t wires[] = {0, 1, 2, 3, 5};
    uint32_t number = random_number(random), wire = wires[random->below(depth > 3 ? 3 : 5)];
    std::string out = varint(static_cast<uint64_t>(number) << 3 | wire, random->chance(20) ? 1 : 0), content;
    switch (wire) {
    case 0: return out + varint(interesting(random), random->chance(20) ? 1 : 0);
    case 1: return out + fixed(interesting(random), 8);
    case 5: return out + fixed(interesting(random), 4);
    default: break;
    }
    for (uint64_t n = random->below(4); n > 0; n--) content += random_field(random, depth + 1);
    if (wire == 3) return out + content + varint(static_cast<uint64_t>(number) << 3 | 4);
    return out + varint(content.size()) + content;
}

// Where a change happens: the top, or with luck something within it.
static Tree *pick_tree(Tree *tree, Random *random) {
    for (int depth = 0; depth < 8; depth++) {
        if (tree->empty() || random->chance(3)) break;
        Node &node = (*tree)[random->below(tree->size())];
        if (!node.has_children) break;
        tree = &node.children;
    }
    return tree;
}

// A varint again, with superfluous bytes; ten is the most that a reader must accept.
static void pad_varint(std::string *raw, Random *random) {
    uint64_t value;
    std::string minimal;
    size_t at = 0;
    if (!read_varint(*raw, &at, &value, &minimal)) return;
    size_t used = varint(value).size();
    *raw = varint(value, static_cast<unsigned>(1 + random->below(12 - used)));
}

// Lists come packed or one by one: turn the one into the other, blindly.
static void change_packing(Tree *tree, size_t i, Random *random) {
    Node &node = (*tree)[i];
    if (node.wire != 2) {
        node.value = node.wire == 3 ? write_tree(node.children) : node.value;
        node.has_children = false;
        for (uint64_t n = random->below(3); n > 0; n--) node.value += varint(interesting(random));
        set_tag(&node, node.number, 2, 0);
        return;
    }
    std::string bytes = node.has_children ? write_tree(node.children) : node.value;
    uint64_t value;
    Node one;
    one.number = node.number;
    tree->erase(tree->begin() + static_cast<long>(i));
    for (size_t at = 0; at < bytes.size() && read_varint(bytes, &at, &value, &one.value);) {
        set_tag(&one, one.number, 0, 0);
        tree->insert(tree->begin() + static_cast<long>(i), one);
    }
}

// A message in two halves, which a reader merges.
static void split(Tree *tree, size_t i, Random *random) {
    Node second = (*tree)[i];
    if (!second.has_children || second.children.size() < 2) return;
    auto at = static_cast<long>(1 + random->below(second.children.size() - 1));
    second.children.erase(second.children.begin(), second.children.begin() + at);
    Node &first = (*tree)[i];
    first.children.erase(first.children.begin() + at, first.children.end());
    tree->insert(tree->begin() + static_cast<long>(i + random->below(tree->size() - i) + 1), second);
}

// Wraps everything so often that the limit of nesting, 100, is met or just passed.
static void nest(Tree *tree, Random *random) {
    static const uint32_t numbers[] = {18, 20, 48, 301}; // Every within Every, a group, a list, unknown
    uint32_t number = numbers[random->below(4)];
    uint32_t wire = number == 20 || (number == 301 && random->chance(2)) ? 3 : 2;
    for (uint64_t n = 96 + random->below(8); n > 0; n--) {
        Node outer;
        set_tag(&outer, number, wire, 0);
        outer.has_children = true;
        outer.children.swap(*tree);
        tree->push_back(std::move(outer));
    }
}

static void change_value(Node *node, Random *random) {
    uint64_t value = interesting(random);
    if (node->wire == 0) node->value = varint(value);
    if (node->wire == 1) node->value = fixed(value, 8);
    if (node->wire == 5) node->value = fixed(value, 4);
    if (node->wire == 2 && !node->has_children) mutate_bytes(&node->value, random);
}

static void change_wire_type(Node *node, Random *random) {
    uint32_t wire = static_cast<uint32_t>(random->below(8));
    if (wire == 3 && node->wire != 3) node->has_children = true;
    if (wire == 2 && node->wire == 3) wire = 2; // keeps the children
    set_tag(node, node->number, wire, 0);
}

void mutate_tree(Tree *whole, const Tree &donor, Random *random) {
    if (random->chance(150)) return nest(whole, random);
    Tree *tree = pick_tree(whole, random);
    auto any = [&] { return tree->begin() + static_cast<long>(random->below(tree->size() + 1)); };
    if (tree->empty() || random->chance(12)) {
        Tree fresh;
        if (parse_tree(random_field(random, 0), &fresh)) tree->insert(any(), fresh.begin(), fresh.end());
        return;
    }
    size_t i = random->below(tree->size());
    Node &node = (*tree)[i];
    switch (random->below(16)) {
    case 0: {
        Node copy = node;
        tree->insert(any(), copy);
        return;
    }
    case 1: std::swap(node, (*tree)[random->below(tree->size())]); return;
    case 2: tree->erase(tree->begin() + static_cast<long>(i)); return;
    case 3: return pad_varint(&node.tag, random);
    case 4:
        if (node.wire == 0) pad_varint(&node.value, random);
        return;
    case 5: return change_wire_type(&node, random);
    case 6: return set_tag(&node, random_number(random), node.wire, 0);
    case 7: node.length_bias = random->chance(2) ? 1 : -1; return;
    case 8: return split(tree, i, random);
    case 9: return change_packing(tree, i, random);
    case 10:
        if (!donor.empty()) tree->insert(any(), donor[random->below(donor.size())]);
        return;
    case 11: {
        Node end;
        set_tag(&end, node.number, random->chance(2) ? 4 : 3, 0);
        end.wire = 0; // only the tag is written
        tree->insert(any(), end);
        return;
    }
    default: return change_value(&node, random);
    }
}

void mutate_bytes(std::string *bytes, Random *random) {
    size_t n = bytes->size();
    size_t at = random->below(n + 1);
    switch (random->below(5)) {
    case 0:
        if (at < n) (*bytes)[at] = static_cast<char>(random->next());
        return;
    case 1:
        if (at < n) (*bytes)[at] = static_cast<char>((*bytes)[at] ^ 1 << random->below(8));
        return;
    case 2: bytes->resize(at); return;
    case 3: bytes->erase(at, 1 + random->below(4)); return;
    default: bytes->insert(at, fixed(random->next(), 1 + random->below(4))); return;
    }
}

} // namespace fuzz
