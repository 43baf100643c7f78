// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the CPU's folder. No other file of the runtime asks which CPU it is for. Included by
// assembly too.

#pragma once

#if defined(NOPHOOK_ARCH_NONE) // test/runtime/arch: compiled, never run
#include "arch/none/cpu.h"
#elif defined(__x86_64__)
#include "arch/x86_64/cpu.h"
#elif defined(__aarch64__)
#include "arch/aarch64/cpu.h"
#else
#error "nophook's runtime is not built for this architecture yet"
#endif
