// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "machine/machine.h"

namespace nophook::x86_64 {

ByteRange linked_field(uint32_t type, int64_t offset);

} // namespace nophook::x86_64
