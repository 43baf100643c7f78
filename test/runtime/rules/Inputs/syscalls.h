// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marks between which syscalls_between.c counts.

#pragma once

enum { kMark = 100001 }; // no system call has this number
