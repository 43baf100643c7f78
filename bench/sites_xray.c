// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main of the generated program built with LLVM's XRay instead: the time to patch all functions in,
// and out, while two threads (or THREADS) run through them, in milliseconds. XRay has a sled at
// each function's entry and at each of its exits.
//
//      enable_xray [ROUNDS [THREADS]]
//
//      xray_first, xray_first_off      text pages become private
//      xray_later, xray_off            again and again
//
// There is no handler: the threads' calls go through XRay's trampoline, which finds none.

#include "running.h"

#include <xray/xray_interface.h>

static void take(struct samples *samples, enum XRayPatchingStatus (*change)(void)) {
  sleep_ms(kPauseMs);
  double start = now_ns();
  enum XRayPatchingStatus status = change();
  double end = now_ns();
  if (status != SUCCESS)
    give_up("%s: XRay's status is %d", samples->name, (int)status);
  add_sample(samples, (end - start) / 1e6);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 11;
  static struct samples first = {.name = "xray_first"}, first_off = {.name = "xray_first_off"};
  static struct samples later = {.name = "xray_later"}, off = {.name = "xray_off"};
  if (argc > 2)
    set_thread_count(argv[2]);
  take_priority();
  start_threads();
  take(&first, __xray_patch);
  take(&first_off, __xray_unpatch);
  for (int i = 0; i < rounds; i++) {
    take(&later, __xray_patch);
    take(&off, __xray_unpatch);
  }
  stop_threads();
  print_samples(&first);
  print_samples(&first_off);
  print_samples(&later);
  print_samples(&off);
  printf("xray_functions %zu\n", __xray_max_function_id());
  return 0;
}
