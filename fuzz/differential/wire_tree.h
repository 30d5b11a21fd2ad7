// An encoded message as a tree of its fields, to be changed as a fuzzer likes and written again.
//
// A length-delimited value whose bytes can be read as fields is a node with children, whether the schema says so or
// not: what is inside it can be changed, and the lengths around it are made right. Tags and varints are kept as
// bytes, so that odd ones survive.
#ifndef TERN_FUZZ_WIRE_TREE_H
#define TERN_FUZZ_WIRE_TREE_H

#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

// xorshift64*: the same numbers for the same seed.
class Random {
  public:
    explicit Random(uint64_t seed);
    uint64_t next();
    uint64_t below(uint64_t n) { return n ? next() % n : 0; }
    bool chance(uint64_t one_in) { return below(one_in) == 0; }

  private:
    uint64_t state_;
};

struct Node {
    uint32_t number;
    uint32_t wire;
    std::string tag;            // as written
    std::string value;          // varint, fixed or raw bytes; of a node with children nothing
    bool has_children = false;  // of wire types 2 and 3
    std::vector<Node> children; // of a group without its end
    int length_bias = 0;        // added to the length that is written
};

using Tree = std::vector<Node>;

std::string varint(uint64_t value, unsigned padding = 0); // with so many superfluous bytes
bool parse_tree(const std::string &bytes, Tree *tree, int depth = 0);
std::string write_tree(const Tree &tree);

// One random change; `donor` is where foreign fields come from.
void mutate_tree(Tree *tree, const Tree &donor, Random *random);
void mutate_bytes(std::string *bytes, Random *random);

// A number as a fuzzer likes them: at the ends of ranges, small, or anything.
uint64_t interesting(Random *random);

// Random unknown bytes that are a well-formed field, most of the time.
std::string random_field(Random *random, int depth);

} // namespace fuzz

#endif
