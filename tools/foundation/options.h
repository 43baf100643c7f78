// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a verb, as data.
//
// The parser is CLI11. Each file that used it took 8 to 16 s to compile. So a verb describes its
// options in a table, and options.cpp alone hands the table to CLI11. The same table is printed for
// shell completion, which therefore never differs from the parser.

#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nophook {

// The target of the value, whose type decides what a value may be. A list gets one value each time
// that its option is given; one of numbers takes several, with commas between them.
using OptionTarget =
    std::variant<bool *, int32_t *, uint32_t *, uint64_t *, std::string *, std::optional<int32_t> *,
                 std::optional<uint32_t> *, std::vector<std::string> *, std::vector<int32_t> *,
                 std::chrono::milliseconds *, double *, void (*)(const std::string &)>;

// The numbers that are allowed, both ends included. Help shows them as they are written here.
struct OptionRange {
  using Ends = std::variant<std::monostate, std::pair<int, int>, std::pair<uint64_t, uint64_t>,
                            std::pair<double, double>>;
  Ends ends;

  OptionRange() = default;
  OptionRange(int low, int high) : ends(std::pair(low, high)) {}
  OptionRange(uint64_t low, uint64_t high) : ends(std::pair(low, high)) {}
  OptionRange(double low, double high) : ends(std::pair(low, high)) {}
};

// Lists of words have a space between two words.
struct OptionRules {
  const char *type = ""; // word for the value in help: GLOB
  bool required = false; // for a positional: whether it must be given
  // For a flag that may have a number, as --top=5: the meaning of the flag alone.
  const char *without_value = "";
  const char *allowed = ""; // all values that are allowed
  std::string offered = {}; // values for completion, if others are allowed, too
  OptionRange range = {};
  bool is_size = false;   // whether the value is a size: 64K, 10M, 2G
  bool is_mib = false;    // whether the value is a number of MiB, or a size as above
  bool is_ms = false;     // whether the value is a number of ms, or a time: 10ms, 1s
  const char *needs = ""; // names of options that must be given, too
  const char *excludes = "";
};

struct VerbOption {
  const char *names; // "-o,--output"; for a positional, its word in help: "PATH"
  OptionTarget target;
  const char *help;
  OptionRules rules = {};
};

struct VerbOptions {
  const char *command; // "nophook report"
  const char *about;
  std::vector<VerbOption> options;
  // The last lines of help; a text that begins with "usage: " replaces its first line.
  const char *footer = "";

  // Whether `word` is an option whose value is the next word.
  bool takes_value(std::string_view word) const;
};

// Stores the values of `arguments`. True: continue. False: help, or the table for completion (the
// only argument is `--complete`), was requested and has been printed. Fails with exit status 2 for
// a user's mistake. `given`: the name of each given option, the long one if it has two.
Result<bool> parse(const VerbOptions &verb, const std::vector<std::string> &arguments,
                   std::vector<std::string> *given = nullptr);

// Swaps a name and a file that a verb takes one after the other: `graph FILE FUNCTION` is as
// natural as `graph FUNCTION FILE`. Only where the name is a file and the file is none.
void swap_if_reversed(std::string *name, std::string *path);

// Prints the table, for verbs that do not parse: the output of the argument `--complete`.
void print_completion(const VerbOptions &verb);

// Parses a number as an option's value; false if `word` is none.
bool parse_number(const std::string &word, int32_t *number);

} // namespace nophook
