// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the return address of a function is when its site is reached, and the site is not the
// function's first instruction.

#pragma once

#include <stdint.h>

namespace nophook {

enum class SiteFrame : uint8_t {
  kUnknown, // the code in front of the site does not show it
  kFrame,   // the frame pointer is set: beside the caller's, which it points to
  kPushed,  // there is no frame, and one word above the return address
};

} // namespace nophook
