// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a function's return address when its site is reached, and the site is not the
// function's first instruction.

#pragma once

#include <stdint.h>

namespace nophook {

enum class SiteFrame : uint8_t {
  kUnknown, // the code in front of the site does not show it
  kFrame,   // the frame pointer is set: beside the caller's, which it points to
  kPushed,  // there is no frame, and one word lies above the return address
};

} // namespace nophook
