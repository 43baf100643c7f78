// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a verb, as data.
//
// The parser is CLI11. Each file that used it took 8 to 16 s to compile. So a verb describes its
// options in a table, and options.cpp alone hands the table to CLI11. The same table is printed for
// shell completion, which therefore never differs from what is parsed.

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

// Where the value goes, which also says what a value may be. A list has one value each time that
// its option is given.
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
  const char *type = "";          // what help calls the value: GLOB
  bool required = false;          // of a positional
  const char *without_value = ""; // a flag that may have a number, as --top=5: what it means alone
  const char *allowed = "";       // all values that there are
  std::string offered = {};       // values that completion knows, if others are allowed, too
  OptionRange range = {};
  bool is_size = false;   // 64K, 10M, 2G
  bool is_mib = false;    // a number of MiB, or a size as above
  const char *needs = ""; // names of options, one of each
  const char *excludes = "";
};

struct VerbOption {
  const char *names; // "-o,--output"; of a positional, what help calls it: "PATH"
  OptionTarget target;
  const char *help;
  OptionRules rules = {};
};

struct VerbOptions {
  const char *command; // "nophook report"
  const char *about;
  std::vector<VerbOption> options;
  const char *footer =
      ""; // of help; one that begins with "usage: " takes the place of its first line

  // Whether `word` is an option whose value is the next word.
  bool takes_value(std::string_view word) const;
};

// Stores what `arguments` say. True: go on. False: help, or the table for completion (the only
// argument is `--complete`), was asked for and has been printed. Fails with exit status 2 for what
// the user has mistyped. `given`: the name of each option that there was, the long one if it has
// two.
Result<bool> parse(const VerbOptions &verb, const std::vector<std::string> &arguments,
                   std::vector<std::string> *given = nullptr);

// The other order of a name and a file that a verb takes one after the other: `graph FILE FUNCTION`
// is as natural as `graph FUNCTION FILE`. Only where the name is a file and the file is none.
void swap_if_reversed(std::string *name, std::string *path);

// For verbs that do not parse: what the argument `--complete` prints.
void print_completion(const VerbOptions &verb);

// A number as an option's value is one: false if `word` is none.
bool parse_number(const std::string &word, int32_t *number);

} // namespace nophook
