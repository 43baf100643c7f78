// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPUs whose programs and files the compiler's plugin, recordmcount and the command know: each
// is a folder of machine/ and one row here. docs/porting.md explains what the folder has.

#pragma once

#define NOPHOOK_CPUS(ROW) ROW(x86_64) ROW(aarch64)
