// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU that the command itself runs on. The one #if on a CPU outside of the runtime.
//
// The folder's own.h has in the namespace nophook:
//
//   kOwnProcessor       its number in ELF headers
//   kOwnLoader          the dynamic linker of its programs
//   kShadowStackField   the field of /proc/PID/status that names shadow stacks, or empty
//   read_counter()      the counter that events are stamped with

#pragma once

#if defined(__x86_64__)
#include "machine/x86_64/own.h"
#elif defined(__aarch64__)
#include "machine/aarch64/own.h"
#else
#error "no CPU of machine/"
#endif
