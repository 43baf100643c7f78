// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a user who types a name mean this function? The answer is one for every verb.
//
// Users copy names from a trace, from `list`, from a debugger or from the source, and these differ:
// `make(int)`, `app::make`, `_ZN3app4makeB5cxx11Ei`, `app::make[abi:cxx11](int)`. A glob alone
// fails on half of them, as brackets are a class of characters and `operator*` has a wildcard. So a
// name is compared as a name first:
//
//   kName     as linked, or demangled: with or without parameters, and the type that a template
//   returns kScopes   the end of such a name, behind `::` kGlob     a glob of such a name
//
// If several functions could be meant, those with the best answer count. ABI tags ([abi:cxx11]) are
// ignored on both sides, and so is the suffix that a compiler adds to the name of a copy (.isra.0).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nophook {

enum class Means : uint8_t { kNothing, kGlob, kScopes, kName };

// The names of one function.
struct FunctionNames {
  explicit FunctionNames(std::string_view symbol);

  std::string linked;  // the whole symbol
  std::string base;    // the symbol without a compiler's suffix
  std::string full;    // "int app::pick<int>(int)"
  std::string plain;   // "app::pick<int>(int)"
  std::string shorter; // "app::pick<int>"
  std::string bare;    // "app::pick"
  std::string shown;   // as full, with a compiler's suffix: "f(int) (.isra.0)"

  // "std::string::append", in a readable form. Made at the first request: a program may have 50,000
  // functions, and a name that is typed is seldom found only here. One thread.
  const std::string &readable() const;

private:
  mutable std::string readable_;
};

// A user's text, prepared for comparisons.
class TypedName {
public:
  explicit TypedName(std::string_view text);

  Means means(const FunctionNames &names) const;

  // The same for a text that is no function's name: a mark's.
  bool matches(const std::string &text) const;

  const std::string &text() const { return text_; } // the text without ABI tags
  bool has_wildcards() const { return has_wildcards_; }

private:
  std::string text_;
  bool has_wildcards_;
};

// Removes ABI tags: "app::make(int)" from "app::make[abi:cxx11](int)".
std::string without_abi_tags(std::string_view name);

} // namespace nophook
