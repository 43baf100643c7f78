// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nophook/runtime.h>

// This copy's, to which its note leads.
extern "C" __attribute__((visibility("hidden"))) nophook_runtime_table nophook_runtime;
