// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table by which tools find and wake this copy of the runtime.

#pragma once

#include <nophook/runtime.h>

// The table of this copy, to which its note leads.
extern "C" __attribute__((visibility("hidden"))) nophook_runtime_table nophook_runtime;
