// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways to save the registers (arch/vectors.h). The CPU decides: a machine has one of them, and
// a unit test takes each that its CPU can do.

#pragma once

#include <stdint.h>

namespace nophook {

enum class VectorWay : uint8_t { kFxsave, kXsave, kXsavec, kByHand };

// For tests only: selects the way. After find_vector_state(), while nothing is saved. False: this
// CPU does not have it. FXSAVE leaves out what is beyond 16 registers of 16 bytes, which a CPU
// without XSAVE does not have.
bool set_vector_way(VectorWay way);
VectorWay vector_way();

} // namespace nophook
