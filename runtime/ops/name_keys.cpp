// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits demangled names into parts that a mangled symbol must contain, and looks for these in
// symbols.

#include "ops/name_keys.h"

#include "ops/name_hash.h"

#include <string.h>

namespace nophook {
namespace {

// Words that demanglers write although the symbol does not have them, or not as a whole.
constexpr const char *kOwnWords[] = {"void",
                                     "bool",
                                     "char",
                                     "short",
                                     "int",
                                     "long",
                                     "signed",
                                     "unsigned",
                                     "float",
                                     "double",
                                     "half",
                                     "wchar_t",
                                     "char8_t",
                                     "char16_t",
                                     "char32_t",
                                     "__int128",
                                     "__float128",
                                     "__ibm128",
                                     "decimal32",
                                     "decimal64",
                                     "decimal128",
                                     "bfloat16_t",
                                     "nullptr_t",
                                     "nullptr",
                                     "auto",
                                     "decltype",
                                     "const",
                                     "volatile",
                                     "restrict",
                                     "__restrict",
                                     "complex",
                                     "_Complex",
                                     "imaginary",
                                     "_Imaginary",
                                     "vector",
                                     "__vector",
                                     "pixel",
                                     "anonymous",
                                     "namespace",
                                     "unnamed",
                                     "type",
                                     "lambda",
                                     "parm",
                                     "default",
                                     "arg",
                                     "block",
                                     "literal",
                                     "string",
                                     "operator",
                                     "new",
                                     "delete",
                                     "co_await",
                                     "true",
                                     "false",
                                     "this",
                                     "std",
                                     "basic_string",
                                     "allocator",
                                     "char_traits",
                                     "istream",
                                     "ostream",
                                     "iostream",
                                     "basic_istream",
                                     "basic_ostream",
                                     "basic_iostream",
                                     "sizeof",
                                     "alignof",
                                     "noexcept",
                                     "throw",
                                     "typeid",
                                     "static_cast",
                                     "dynamic_cast",
                                     "const_cast",
                                     "reinterpret_cast",
                                     "requires",
                                     "friend",
                                     "enable_if",
                                     "typename",
                                     "template",
                                     "class",
                                     "clone",
                                     "fold",
                                     "transaction_safe",
                                     "global",
                                     "constructors",
                                     "destructors",
                                     "keyed"};

bool is_own_word(const char *word, size_t bytes) {
  for (const char *own : kOwnWords)
    if (strlen(own) == bytes && !memcmp(own, word, bytes))
      return true;
  // _Float16, 'lambda0', 'unnamed1'
  return (bytes > 6 && (!memcmp(word, "_Float", 6) || !memcmp(word, "lambda", 6))) ||
         (bytes > 7 && !memcmp(word, "unnamed", 7));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         (c & 0x80);
}

// Whether a character may stand beside a word. Other characters have no known counterpart in a
// symbol.
bool may_stand_beside(char c) {
  return !c || strchr(":<>(),&*[]~{}'\"+-=!/%^| ", c);
}

// The number of digits of a number such as `17`, `17u` or `17ul`.
size_t digits_of(const char *word, size_t bytes) {
  size_t digits = 0, rest;
  while (digits < bytes && is_digit(word[digits]))
    digits++;
  for (rest = digits; rest < bytes && (word[rest] == 'u' || word[rest] == 'l'); rest++)
    ;
  return rest == bytes ? digits : 0;
}

} // namespace

// Calls visit(hash, is_number, bytes) for each part of a name that its symbol must have, too.
template <class Visit> void NameKeys::each_part(const char *name, Visit visit) {
  if (strstr(name, " for ") || strstr(name, " to ")) // "vtable for X", "thunk to f()"
    return;
  for (const char *at = name; *at;) {
    if (!is_of_word(*at)) {
      at++;
      continue;
    }
    const char *word = at;
    while (is_of_word(*at))
      at++;
    size_t bytes = (size_t)(at - word);
    char before = word == name ? 0 : word[-1];
    if (!may_stand_beside(before) || !may_stand_beside(*at))
      continue;
    size_t digits = digits_of(word, bytes);
    if (digits)
      visit(hash_number(word, digits), true, digits);
    else if (!is_digit(*word) && !is_own_word(word, bytes))
      visit(hash_text(word, bytes), false, bytes);
  }
}

void NameKeys::clear() {
  takes_all_ = false;
  counted_.clear();
  parts_.clear();
  memset(keys_, 0, sizeof keys_);
}

void NameKeys::release() {
  Array<uint64_t> counted;
  Array<Part> parts;
  counted_.swap(counted);
  parts_.swap(parts);
}

// Counts the parts of a name. Without memory every symbol is demangled.
void NameKeys::count(const char *name) {
  each_part(name, [&](uint64_t hash, bool, size_t) {
    takes_all_ = !counted_.push(hash | 1) || takes_all_;
  });
}

void NameKeys::make_table() {
  uint64_t size = 16;
  while (size < 2 * counted_.size())
    size *= 2;
  if (!parts_.reserve(size)) {
    takes_all_ = true;
    return;
  }
  for (uint64_t i = 0; i < size; i++)
    parts_.append({});
  for (uint64_t hash : counted_) {
    Part *part = find(hash);
    part->hash = hash;
    part->count++;
  }
}

// The place of a part in the table, or the place where it would be.
NameKeys::Part *NameKeys::find(uint64_t hash) const {
  auto *parts = const_cast<Part *>(parts_.begin());
  uint64_t last = parts_.size() - 1, at = hash >> 20 & last;
  while (parts[at].hash && parts[at].hash != hash)
    at = (at + 1) & last;
  return &parts[at];
}

void NameKeys::add(const char *name) {
  if (parts_.empty() && !takes_all_)
    make_table();
  if (takes_all_)
    return;
  Part *best = nullptr;
  size_t best_bytes = 0;
  bool best_is_number = false;
  each_part(name, [&](uint64_t hash, bool is_number, size_t bytes) {
    Part *part = find(hash | 1);
    bool is_rarer = !best || part->count < best->count;
    bool is_longer =
        best && part->count == best->count && (best_is_number || !is_number) && bytes > best_bytes;
    if (!is_rarer && !is_longer)
      return;
    best = part;
    best_bytes = bytes;
    best_is_number = is_number;
  });
  if (!best) {
    takes_all_ = true;
    return;
  }
  best->is_key = true;
  uint64_t bit = best->hash / 2 % kBits;
  keys_[bit / 64] |= uint64_t{1} << bit % 64;
}

bool NameKeys::is_key(uint64_t hash) const {
  uint64_t bit = hash / 2 % kBits;
  return keys_[bit / 64] >> bit % 64 & 1 && find(hash | 1)->is_key;
}

// A name has its length in front. A number ends with an E (of a literal) or _ (of an array), and
// begins behind what is no digit, or behind a name, whose last character may be one.
bool NameKeys::may_mean(const char *symbol, size_t bytes) const {
  if (takes_all_)
    return true;
  auto has_number_at = [&](size_t begin) {
    size_t end = begin;
    while (end < bytes && is_digit(symbol[end]))
      end++;
    return end > begin && end < bytes && (symbol[end] == 'E' || symbol[end] == '_') &&
           is_key(hash_number(symbol + begin, end - begin));
  };
  for (size_t i = 2; i < bytes; i++) {
    size_t length = 0, end = i;
    while (end < bytes && is_digit(symbol[end]) && length < 4096)
      length = length * 10 + (size_t)(symbol[end++] - '0');
    if (end == i)
      continue;
    if (!is_digit(symbol[i - 1]) && has_number_at(i))
      return true;
    if (length && length <= bytes - end &&
        (is_key(hash_text(symbol + end, length)) || has_number_at(end + length)))
      return true;
  }
  return false;
}

} // namespace nophook
