// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for std::visit() that are told apart by the type of their parameter.

#pragma once

namespace nophook {

template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};

} // namespace nophook
