// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer's entry point of fuzz_control.

#include "control_fuzz.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  nophook::check_control({reinterpret_cast<const char *>(bytes), size});
  return 0;
}
