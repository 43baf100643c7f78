// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of a patch: from a call of include/livepatch.h to its transition, and the steps that
// follow when all threads have changed over.

#include "livepatch/patch.h"

#include "base/lock.h"
#include "base/log.h"
#include "livepatch/driver.h"
#include "livepatch/patch_callbacks.h"
#include "livepatch/patch_core.h"
#include "livepatch/patch_libraries.h"
#include "livepatch/patch_moves.h"
#include "ops/adopt.h"
#include "ops/ops.h"

#include <errno.h>

namespace nophook {
namespace {

// Drops a patch that is not enabled any more; its functions follow the other patches.
void drop(nophook_klp *core) {
  unlist(core);
  for (PatchedFunc &func : core->funcs)
    if (func.dispatch)
      settle(func.dispatch);
  free_core(core);
}

void forget_changing() {
  g_change.core = nullptr;
  g_change.is_calling = false;
}

Status begin_change(bool enabling) {
  g_change.was_enabling = enabling;
  NOPHOOK_TRY(find_moves());
  NOPHOOK_TRY(turn_moves_on());
  Status status = begin_transition(moves());
  return status.ok() ? status : refuse(g_change.core, nullptr, status);
}

// Ends the change, with the lock; the words have their values.
void finish_change() {
  nophook_klp *core = g_change.core;
  if (core->is_enabled) {
    while (core->patch->replace && core->older)
      drop(core->older);
    for (PatchedFunc &func : core->funcs)
      if (func.dispatch)
        settle(func.dispatch);
    report(core, "patching complete");
  } else {
    report(core, "unpatching complete");
    drop(core);
  }
  forget_changing();
}

// Ends the change, without the lock.
void end_change() {
  call_all(g_change.core, g_change.core->is_enabled ? When::kPostPatch : When::kPostUnpatch);
  RuntimeLock lock;
  finish_change();
}

void after_fork(bool) {
  transition_after_fork();
  driver_after_fork();
  if (!g_change.is_calling)
    return;
  // The thread that ran the callbacks does not exist here.
  if (is_listed(g_change.core) && !in_transition())
    finish_change();
  else if (!is_listed(g_change.core))
    free_core(g_change.core), forget_changing();
}

Status turn_round(nophook_klp *core, bool enabled) {
  core->is_enabled = enabled;
  reverse_transition();
  report(core, enabled ? "turning round: patching" : "turning round: unpatching");
  return {};
}

// Reports a refusal by the file's name, as the patch has no half yet.
Status refuse_file(const ObjectPath &path, Status status) {
  log_line(LogText()
               .add("livepatch: ")
               .add(path.size() ? path.c_str() : "program")
               .add(": ")
               .add(status.reason));
  return status;
}

Status admit(klp_patch *patch, const ObjectPath &path, LibraryHold &hold) {
  if (g_change.core)
    return refuse_file(path, failure(EBUSY, "the transition of another patch is under way"));
  if (!ftrace_is_enabled())
    return refuse_file(path, failure(EBUSY, "ftrace_enabled is 0"));
  if (!at_fork_child(after_fork))
    return failure(ENOMEM, "no memory for the handlers of fork");
  NOPHOOK_TRY(adopt_modules());
  nophook_klp *core;
  NOPHOOK_TRY(make_core(patch, path, &core));
  if (Status status = enter_library(core, path, hold); !status.ok()) {
    free_core(core);
    return refuse_file(path, status);
  }
  g_change.core = core;
  g_change.is_calling = true;
  return {};
}

Status begin_enabling() {
  nophook_klp *core = g_change.core;
  core->older = newest_patch();
  Status status = begin_change(true);
  if (!status.ok()) {
    for (const Move &move : moves())
      settle(move.dispatch);
    return status;
  }
  core->is_enabled = true;
  list_core(core);
  keep_library(core);
  g_change.is_calling = false;
  report(core, "starting patching transition");
  return {};
}

// Starts to disable a patch, with the lock. `*turned`: the transition was reversed, which is all;
// otherwise begin_disabling() follows, without the lock.
Status admit_disabling(nophook_klp *core, bool *turned) {
  if (!core->is_enabled)
    return failure(EINVAL, "the patch is not enabled");
  if (g_change.core && (g_change.core != core || g_change.is_calling))
    return failure(EBUSY, "the transition of a patch is under way");
  *turned = g_change.core == core;
  if (*turned)
    return turn_round(core, false);
  if (core != newest_patch())
    return failure(EBUSY, "a newer patch is enabled");
  g_change.core = core;
  g_change.is_calling = true;
  return {};
}

Status begin_disabling() {
  nophook_klp *core = g_change.core;
  call_all(core, When::kPreUnpatch);
  RuntimeLock lock;
  Status status = begin_change(false);
  g_change.is_calling = false;
  if (!status.ok()) {
    g_change.core = nullptr;
    return status;
  }
  core->is_enabled = false;
  report(core, "starting unpatching transition");
  return {};
}

// Reverses a disabling transition, with the lock.
Status turn_on_again(nophook_klp *core) {
  if (core != g_change.core || core->is_enabled)
    return failure(EINVAL, "the patch is enabled");
  if (g_change.is_calling)
    return failure(EBUSY, "callbacks of the patch are running");
  return turn_round(core, true);
}

// Forces the transition, with the lock; end_change() follows, without it.
Status force_changing(nophook_klp *core) {
  if (!core || core != g_change.core || g_change.is_calling || !in_transition())
    return failure(EINVAL, "the patch is in no transition");
  NOPHOOK_TRY(force_transition());
  core->is_forced = true;
  mark_libraries_forced();
  g_change.is_calling = true;
  report(core, "the transition is forced: threads may run old and new versions at the same time");
  return {};
}

Status find_by_number(uint32_t number, nophook_klp **core) {
  *core = patch_of_number(number);
  return *core ? Status{} : failure(ENODEV, "the patch is not enabled any more");
}

// Turns the patch that find(&core) finds under the lock on or off.
template <class Find> Status change_found(Find find, bool enabled) {
  bool turned = true;
  {
    RuntimeLock lock;
    nophook_klp *core = nullptr;
    NOPHOOK_TRY(find(&core));
    NOPHOOK_TRY(enabled ? turn_on_again(core) : admit_disabling(core, &turned));
  }
  if (!turned)
    NOPHOOK_TRY(begin_disabling());
  ensure_driver();
  return {};
}

template <class Find> Status force_found(Find find) {
  {
    RuntimeLock lock;
    nophook_klp *core = nullptr;
    NOPHOOK_TRY(find(&core));
    NOPHOOK_TRY(force_changing(core));
  }
  end_change();
  return {};
}

} // namespace

bool is_in_transition(const nophook_klp *core) {
  return core && core == g_change.core;
}

Status enable_patch(klp_patch *patch) {
  if (!patch || !patch->objs)
    return failure(EINVAL, "a patch needs a list of objects");
  ObjectPath path;
  uint64_t bias;
  find_object(reinterpret_cast<uint64_t>(patch), &path, &bias);
  LibraryHold hold(path);
  bool turned = false;
  {
    RuntimeLock lock;
    if (nophook_klp *core = patch->core) {
      NOPHOOK_TRY(turn_on_again(core));
      turned = true;
    } else {
      NOPHOOK_TRY(admit(patch, path, hold));
    }
  }
  if (!turned) {
    nophook_klp *core = patch->core;
    Status status = prepare_all(core);
    bool is_prepared = status.ok();
    if (is_prepared) {
      RuntimeLock lock;
      status = begin_enabling();
    }
    if (is_prepared && !status.ok())
      call_all(core, When::kPostUnpatch);
    if (!status.ok()) {
      RuntimeLock lock;
      leave_library(patch, hold);
      free_core(core);
      forget_changing();
      return status;
    }
  }
  ensure_driver();
  return {};
}

Status disable_patch(klp_patch *patch) {
  return change_found(
      [=](nophook_klp **core) {
        *core = patch ? patch->core : nullptr;
        return *core ? Status{} : failure(EINVAL, "the patch is not enabled");
      },
      false);
}

Status force_patch(klp_patch *patch) {
  return force_found([=](nophook_klp **core) {
    *core = patch ? patch->core : nullptr;
    return Status{};
  });
}

Status switch_patch(uint32_t number, bool enabled) {
  return change_found([=](nophook_klp **core) { return find_by_number(number, core); }, enabled);
}

Status force_patch(uint32_t number) {
  return force_found([=](nophook_klp **core) { return find_by_number(number, core); });
}

bool drive_transition() {
  {
    RuntimeLock lock;
    if (!in_transition())
      return false;
    if (!look_at_threads())
      return true;
    g_change.is_calling = true;
  }
  end_change();
  return false;
}

} // namespace nophook
