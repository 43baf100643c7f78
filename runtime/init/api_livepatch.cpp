// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/livepatch.h that are about patches.

#include "base/lock.h"
#include "buffer/trace_buffer.h"
#include "livepatch/driver.h"
#include "livepatch/fibers.h"
#include "livepatch/patch.h"
#include "livepatch/transition.h"
#include "ops/ops.h"

#include <errno.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

NOPHOOK_API int klp_enable_patch(klp_patch *patch) {
  if (must_not_lock())
    return -EBUSY;
  Status status = enable_patch(patch);
  reclaim();
  return -status.error;
}

NOPHOOK_API int klp_disable_patch(klp_patch *patch) {
  if (must_not_lock())
    return -EBUSY;
  Status status = disable_patch(patch);
  reclaim();
  return -status.error;
}

NOPHOOK_API int klp_force_patch(klp_patch *patch) {
  if (must_not_lock())
    return -EBUSY;
  Status status = force_patch(patch);
  reclaim();
  return -status.error;
}

NOPHOOK_API int klp_patch_status(const klp_patch *patch) {
  if (must_not_lock())
    return -EBUSY;
  ensure_driver();
  RuntimeLock lock;
  const nophook_klp *core = patch ? patch->core : nullptr;
  if (!core)
    return 0;
  return (core->is_enabled ? KLP_ENABLED : 0) | (is_in_transition(core) ? KLP_TRANSITION : 0);
}

NOPHOOK_API int klp_pending_threads(int *tids, int most) {
  if (must_not_lock())
    return -EBUSY;
  RuntimeLock lock;
  return tids && most > 0 ? (int)undecided_threads(tids, (uint32_t)most) : 0;
}

// A fiber's record is the handle that the program gets.
static Task *task_of(klp_fiber *fiber) {
  return reinterpret_cast<Task *>(fiber);
}

NOPHOOK_API klp_fiber *klp_fiber_create(void *stack, size_t bytes) {
  const auto low = reinterpret_cast<uint64_t>(stack);
  return reinterpret_cast<klp_fiber *>(make_fiber(low, low + bytes));
}

NOPHOOK_API void klp_fiber_destroy(klp_fiber *fiber) {
  if (fiber)
    free_fiber(task_of(fiber));
}

// This function's own frame shows the end of the caller's, and holds the address of the call.
NOPHOOK_API __attribute__((noinline)) void klp_fiber_start_switch(klp_fiber *to) {
  const Task *fiber = task_of(to);
  write_fiber(g_buffer, fiber ? fiber->low() : 0, fiber ? fiber->high() - fiber->low() : 0);
  start_switch(task_of(to), reinterpret_cast<uint64_t>(__builtin_frame_address(0)),
               reinterpret_cast<uint64_t>(__builtin_return_address(0)));
}

NOPHOOK_API void klp_fiber_finish_switch() {
  finish_switch();
}

NOPHOOK_API int klp_pending_fibers(klp_fiber **fibers, int most) {
  if (must_not_lock())
    return -EBUSY;
  struct Kept {
    klp_fiber **fibers;
    int most, count;
  } kept = {fibers, fibers ? most : 0, 0};
  RuntimeLock lock;
  each_undecided_fiber(
      [](const FiberFacts &facts, void *to) {
        auto &list = *static_cast<Kept *>(to);
        if (list.count < list.most)
          list.fibers[list.count++] = reinterpret_cast<klp_fiber *>(facts.fiber);
      },
      &kept);
  return kept.count;
}

NOPHOOK_API klp_state *klp_get_state(klp_patch *patch, unsigned long id) {
  for (klp_state *state = patch ? patch->states : nullptr; state && state->id; state++)
    if (state->id == id)
      return state;
  return nullptr;
}

NOPHOOK_API klp_state *klp_get_prev_state(unsigned long id) {
  if (must_not_lock())
    return nullptr;
  RuntimeLock lock;
  for (nophook_klp *core = newest_patch(); core; core = core->older)
    if (!is_in_transition(core))
      if (klp_state *state = klp_get_state(core->patch, id))
        return state;
  return nullptr;
}
