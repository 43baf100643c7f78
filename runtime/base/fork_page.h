// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that the handlers of fork and a fork child's first event write. Each page that a child
// writes first is copied for it, which takes 1 us. So these variables do not lie in .bss, where
// each would have a page of its own, but in .data, beside the main buffer's.

#pragma once

#define NOPHOOK_WITH_FORK __attribute__((section(".data")))
