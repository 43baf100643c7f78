// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that a person reads at once. The demangler prints for one member of a map
//
//   std::_Rb_tree<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >,
//   std::pair<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >
//   const, int>, std::_Select1st<...>, std::less<...>, std::allocator<...> >::_M_erase
//
// and its author wrote `std::map<std::string, int>`. Cutting the text would also cut names that
// only look alike, so the demangler's syntax tree is rewritten before it is printed:
//
//   default template arguments   left out, at the end of a class template's list
//   inline namespaces            left out: __cxx11, __1, absl's lts_20230802, fmt's v9
//   std's typedefs               std::string, std::ostream, std::smatch, std::chrono::seconds, ...
//   lambdas, unnamed types       main::{lambda#1}, main::{unnamed type#1}
//   ABI tags, parameters         left out, those of functions around a local name, too
//   Rust                         no hash, `<T as Trait>::name` instead of _$LT$T$u20$as...
//
// test/unit/tools/readable_names.txt has 200 names of real libraries.

#pragma once

#include <string>
#include <string_view>

namespace nophook {

// The readable name of a function, given its linked name. A name that no demangler knows is
// returned as it is.
std::string readable_name(std::string_view symbol);

} // namespace nophook
