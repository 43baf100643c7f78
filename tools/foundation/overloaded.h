// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for std::visit(): the type of the parameter chooses one.

#pragma once

namespace nophook {

template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};

} // namespace nophook
