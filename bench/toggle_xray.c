// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measurements of toggle.c for LLVM's XRay: the sleds of one function are patched and
// unpatched, by the function's number, while no other thread runs and while threads call it. In
// microseconds. The function has a sled at its entry and one at its exit. There is no handler:
// XRay's trampoline finds none.

#include "callers.h"

#include <xray/xray_interface.h>

static struct samples alone = {.name = "xray_alone"}, threads = {.name = "xray_threads"};

static int32_t number_of_leaf(void) {
  for (size_t number = __xray_max_function_id(); number > 0; number--)
    if (__xray_function_address((int32_t)number) == (uintptr_t)leaf)
      return (int32_t)number;
  give_up("XRay does not know leaf()");
}

static void toggle(int32_t number, struct samples *samples) {
  for (int i = 0; i < 2 * kToggles; i++) {
    double start = now_ns();
    enum XRayPatchingStatus status =
        i % 2 ? __xray_unpatch_function(number) : __xray_patch_function(number);
    add_sample(samples, (now_ns() - start) / 1e3);
    if (status != SUCCESS)
      give_up("XRay's status is %d", (int)status);
  }
}

int main(void) {
  bind_to_cpu(false);
  int32_t number = number_of_leaf();
  __xray_patch_function(number), __xray_unpatch_function(number); // the first time copies the page
  toggle(number, &alone);
  start_callers();
  toggle(number, &threads);
  stop_callers();
  print_samples(&alone), print_samples(&threads);
  return 0;
}
