// The differential fuzzer: tern's protobuf codec against protobuf C++ on the same schemas.
//
// A case is an input: a random valid message, changed at random (or not); or random bytes. Both libraries must accept
// it or both refuse it (protobuf C++: parsed, and no required field missing), and what tern writes of the message
// that it has read must be the same message to protobuf C++ as the input: compared by C++'s deterministic encoding, so
// NaNs, presence and the order of unknown fields count. tern must also agree with itself (tern_side.h).
//
// Case number i of seed s is the same on every machine; a difference is printed with the command that replays it
// and with the smallest input found that still shows it, and ends up in a file when --keep names a folder. The files in
// --corpus are run first: each line is "TYPE HEX", or a remark that begins with #.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "bench1.pb.h"
#include "every2.pb.h"
#include "every3.pb.h"
#include "random_message.h"
#include "tern_side.h"
#include "wire_tree.h"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using fuzz::Random;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

const char *const kTypes[] = {"diff2.Every", "diff3.Every", "diff2.Strict", "bench1.M1", "bench1.M9", "bench1.M23"};
// Most cases go to the types that have everything.
const char *const kTurns[] = {"diff2.Every", "diff3.Every", "diff2.Every", "diff3.Every",  "diff2.Every",
                              "diff3.Every", "bench1.M1",   "bench1.M9",   "diff2.Strict", "bench1.M23"};
constexpr uint64_t kCasesPerBase = 32; // inputs that are made from one valid message
constexpr uint64_t kMaxReports = 200;  // differences beyond are only counted

struct Subject {
    std::unique_ptr<Message> original, again;
    tern_side *tern;
};

struct Options {
    uint64_t seed = 1, first = 0, cases = 20000;
    double seconds = 0;
    std::string corpus, keep;
    bool dump = false;
};

struct Totals {
    uint64_t cases = 0, accepted = 0, refused = 0, differences = 0;
};

uint64_t n_map_bools; // differences that are C++'s own; see mend_map_bools

// ---- One input

std::string hex(const std::string &bytes) {
    std::string out;
    char digits[3];
    for (unsigned char byte : bytes) {
        std::snprintf(digits, sizeof digits, "%02x", byte);
        out += digits;
    }
    return out;
}

std::string deterministic(const Message &message) {
    std::string out;
    {
        google::protobuf::io::StringOutputStream sink(&out);
        google::protobuf::io::CodedOutputStream coded(&sink);
        coded.SetSerializationDeterministic(true);
        message.SerializePartialToCodedStream(&coded);
    }
    return out;
}

bool parse(Message *message, const void *data, size_t len) {
    return message->ParsePartialFromArray(data, static_cast<int>(len)) && message->IsInitialized();
}

// Protobuf C++ 3.21's generated code reads a bool in a map with ReadVarint32 (map_type_handler.h), so that 2^32 is
// false there and true everywhere else. Writes such bools as 0 or 1.
void mend_map_bools(const Descriptor *type, fuzz::Tree *tree) {
    for (fuzz::Node &node : *tree) {
        const FieldDescriptor *field = type->FindFieldByNumber(static_cast<int>(node.number));
        if (!field || !node.has_children || !field->message_type()) continue;
        mend_map_bools(field->message_type(), &node.children);
        for (fuzz::Node &part : node.children) {
            const FieldDescriptor *of = field->message_type()->FindFieldByNumber(static_cast<int>(part.number));
            if (!field->is_map() || !of || of->type() != FieldDescriptor::TYPE_BOOL || part.wire != 0) continue;
            bool value = std::any_of(part.value.begin(), part.value.end(), [](char byte) { return byte & 0x7F; });
            part.value = fuzz::varint(value);
        }
    }
}

bool same_with_mended_bools(Subject *subject, const std::string &input, const std::string &ours) {
    fuzz::Tree tree;
    if (!fuzz::parse_tree(input, &tree)) return false;
    mend_map_bools(subject->original->GetDescriptor(), &tree);
    std::string mended = fuzz::write_tree(tree);
    return parse(subject->original.get(), mended.data(), mended.size()) && deterministic(*subject->original) == ours;
}

// The input lies in memory of exactly its size, for the address sanitizer. Empty: no difference.
std::string difference(Subject *subject, const std::string &input, uint64_t choice, bool *accepted) {
    std::unique_ptr<uint8_t[]> copy(new uint8_t[input.size() + (input.empty() ? 1 : 0)]);
    std::memcpy(copy.get(), input.data(), input.size());
    bool theirs = parse(subject->original.get(), input.data(), input.size());
    tern_answer ours = tern_side_run(subject->tern, copy.get(), input.size(), choice);
    *accepted = theirs;
    if (ours.odd) return ours.odd;
    if (theirs != (ours.status == 0))
        return theirs ? "C++ accepts it, tern says " + std::to_string(ours.status) : "tern accepts it, C++ refuses it";
    if (!theirs) return "";
    if (!parse(subject->again.get(), ours.encoded, ours.encoded_len)) return "C++ refuses what tern writes";
    std::string meaning = deterministic(*subject->again);
    if (deterministic(*subject->original) == meaning) return "";
    if (!same_with_mended_bools(subject, input, meaning)) return "the meaning differs";
    n_map_bools++;
    return "";
}

// The kind of a difference, so that a smaller input shows the same one.
std::string kind(const std::string &what) { return what.substr(0, what.find(" says ")); }

std::string minimized(Subject *subject, std::string input, uint64_t choice, const std::string &what) {
    bool accepted;
    auto still = [&](const std::string &smaller) {
        return kind(difference(subject, smaller, choice, &accepted)) == kind(what);
    };
    for (bool smaller = true; smaller;) {
        smaller = false;
        fuzz::Tree tree;
        for (size_t i = 0; fuzz::parse_tree(input, &tree) && i < tree.size(); i++) {
            fuzz::Tree less = tree;
            less.erase(less.begin() + static_cast<long>(i));
            if (!still(fuzz::write_tree(less))) continue;
            input = fuzz::write_tree(less);
            smaller = true;
            break;
        }
        for (size_t step = std::max<size_t>(input.size() / 2, 1); !smaller && step > 0; step /= 2)
            for (size_t at = 0; at + step <= input.size(); at += step) {
                std::string less = input.substr(0, at) + input.substr(at + step);
                if (!still(less)) continue;
                input = less;
                smaller = true;
                at -= std::min(at, step);
            }
    }
    return input;
}

void report(Subject *subject, const std::string &type, const std::string &input, uint64_t choice,
            const std::string &what, const std::string &replay, const Options &options) {
    static std::set<std::string> seen;
    std::string small = minimized(subject, input, choice, what);
    bool accepted;
    if (!seen.insert(type + small).second) return;
    std::cout << "# " << type << ": " << difference(subject, small, choice, &accepted) << "\n#   input " << hex(small)
              << "\n#   replay: " << replay << std::endl;
    if (options.keep.empty()) return;
    std::filesystem::create_directories(options.keep);
    size_t name = std::hash<std::string>()(type + small);
    std::ofstream(options.keep + "/" + std::to_string(name) + ".txt") << type << " " << hex(small) << "\n";
}

// ---- Crashes: say which case it was

char current_replay[512];

void say_replay() {
    static const char text[] = "\n# crashed in: ";
    if (write(2, text, sizeof text - 1) < 0 || write(2, current_replay, std::strlen(current_replay)) < 0 ||
        write(2, "\n", 1) < 0)
        return;
}

void on_signal(int number) {
    say_replay();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

// The address sanitizer says more about bad addresses than we could.
void watch_for_crashes() {
    for (int number : {SIGABRT, SIGFPE, SIGILL}) std::signal(number, on_signal);
    if (__sanitizer_set_death_callback) return __sanitizer_set_death_callback(say_replay);
    for (int number : {SIGSEGV, SIGBUS}) std::signal(number, on_signal);
}

// ---- Cases

Subject *subject_of(const std::string &type) {
    static auto *subjects = new std::map<std::string, Subject>;
    Subject &s = (*subjects)[type];
    if (s.tern) return &s;
    diff2::Every::descriptor();
    diff3::Every::descriptor();
    bench1::M1::descriptor();
    const auto *descriptor = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
    s.tern = tern_side_open(type.c_str());
    if (!descriptor || !s.tern) return nullptr;
    const Message *prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(descriptor);
    s.original.reset(prototype->New());
    s.again.reset(prototype->New());
    return &s;
}

// The valid messages from which the cases of one block are made.
struct Base {
    uint64_t block = UINT64_MAX;
    std::string type, message, other;
    fuzz::Tree tree, donor;
};

void make_base(Base *base, uint64_t seed, uint64_t block) {
    if (base->block == block) return;
    Random random(seed * 1000003 + block);
    base->block = block;
    base->type = kTurns[random.below(sizeof kTurns / sizeof *kTurns)];
    std::unique_ptr<Message> message(subject_of(base->type)->original->New());
    fuzz::fill_message(message.get(), &random);
    message->SerializePartialToString(&base->message);
    message->Clear();
    fuzz::fill_message(message.get(), &random);
    message->SerializePartialToString(&base->other);
    if (!fuzz::parse_tree(base->message, &base->tree)) base->tree.clear();
    if (!fuzz::parse_tree(base->other, &base->donor)) base->donor.clear();
}

std::string make_input(const Base &base, uint64_t index, Random *random) {
    if (index % kCasesPerBase == 0) return base.message;
    if (random->chance(16)) {
        std::string bytes;
        for (uint64_t n = random->below(40); n > 0; n--) bytes.push_back(static_cast<char>(random->next()));
        return bytes;
    }
    if (random->chance(16)) return base.message + base.other;
    fuzz::Tree tree = base.tree;
    for (uint64_t n = 1 + random->below(4); n > 0; n--) fuzz::mutate_tree(&tree, base.donor, random);
    std::string input = fuzz::write_tree(tree);
    if (random->chance(4)) fuzz::mutate_bytes(&input, random);
    return input;
}

void run_input(const std::string &type, const std::string &input, uint64_t choice, const std::string &replay,
               const Options &options, Totals *totals) {
    Subject *subject = subject_of(type);
    bool accepted = false;
    std::snprintf(current_replay, sizeof current_replay, "%s", replay.c_str());
    std::string what = difference(subject, input, choice, &accepted);
    totals->cases++;
    (accepted ? totals->accepted : totals->refused)++;
    if (what.empty()) return;
    if (totals->differences++ < kMaxReports) report(subject, type, input, choice, what, replay, options);
}

Totals run_cases(const Options &options, const char *program) {
    Totals totals;
    Base base;
    auto begin = std::chrono::steady_clock::now();
    for (uint64_t i = options.first; i < options.first + options.cases; i++) {
        make_base(&base, options.seed, i / kCasesPerBase);
        Random random(options.seed * 7919 + i * 2654435761u);
        std::string input = make_input(base, i, &random);
        std::string replay = std::string(program) + " --seed " + std::to_string(options.seed) + " --first " +
                             std::to_string(i) + " --cases 1";
        if (options.dump) std::cout << "# " << base.type << " " << hex(input) << std::endl;
        run_input(base.type, input, random.next(), replay, options, &totals);
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        if (options.seconds > 0 && spent.count() > options.seconds) break;
    }
    return totals;
}

// ---- The corpus

bool run_corpus_file(const std::filesystem::path &path, const Options &options) {
    std::ifstream file(path);
    Totals totals;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::string type = line.substr(0, line.find(' ')), input;
        for (size_t i = type.size() + 1; i + 1 < line.size(); i += 2)
            input.push_back(static_cast<char>(std::strtoul(line.substr(i, 2).c_str(), nullptr, 16)));
        if (!subject_of(type)) {
            std::cout << "# " << path << ": no such type: " << type << std::endl;
            return false;
        }
        for (uint64_t choice = 0; choice < std::min<uint64_t>(2 * input.size() + 1, 64); choice++)
            run_input(type, input, choice, path, options, &totals);
    }
    return totals.differences == 0;
}

// ---- The program: TAP on stdout

bool read_options(int argc, char **argv, Options *options) {
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i];
        if (name == "--dump") {
            options->dump = true;
            continue;
        }
        if (i + 1 == argc) return false;
        const char *value = argv[++i];
        if (name == "--seed")
            options->seed = std::strtoull(value, nullptr, 0);
        else if (name == "--first")
            options->first = std::strtoull(value, nullptr, 0);
        else if (name == "--cases")
            options->cases = std::strtoull(value, nullptr, 0);
        else if (name == "--seconds")
            options->seconds = std::strtod(value, nullptr);
        else if (name == "--corpus")
            options->corpus = value;
        else if (name == "--keep")
            options->keep = value;
        else
            return false;
    }
    return true;
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    if (!read_options(argc, argv, &options)) {
        std::cerr << "usage: " << argv[0]
                  << " [--seed N] [--first N] [--cases N] [--seconds N] [--corpus FOLDER] [--keep FOLDER] [--dump]\n";
        return 2;
    }
    google::protobuf::SetLogHandler(nullptr);
    watch_for_crashes();
    int n = 0, n_failed = 0;
    auto result = [&](bool ok, const std::string &name) {
        std::cout << (ok ? "ok " : "not ok ") << ++n << " - " << name << std::endl;
        n_failed += !ok;
    };
    std::vector<std::filesystem::path> files;
    if (!options.corpus.empty())
        for (const auto &entry : std::filesystem::directory_iterator(options.corpus)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto &path : files) result(run_corpus_file(path, options), path.stem().string());

    for (const char *type : kTypes)
        if (!subject_of(type)) result(false, std::string("no such type: ") + type);
    Totals totals = run_cases(options, argv[0]);
    result(totals.differences == 0, "seed " + std::to_string(options.seed) + ": " + std::to_string(totals.cases) +
                                        " cases, " + std::to_string(totals.accepted) + " accepted by C++, " +
                                        std::to_string(totals.refused) + " refused, " +
                                        std::to_string(totals.differences) + " differences, " +
                                        std::to_string(n_map_bools) + " odd bools in maps");
    std::cout << "1.." << n << std::endl;
    return n_failed > 0;
}
