// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fields of a thunk, as its trampoline finds them by the thunk's address in x17. Included by
// assembly too; the unit tests of encode.h prove the offsets.

#pragma once

#define THUNK_BODY 16 // goes to the body: enter it here, by `br` or `blr` of any register
#define THUNK_ID 20   // the function id
#define THUNK_BYTES 32
