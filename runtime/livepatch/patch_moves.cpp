// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the functions under the patches before and after the change, and turns the differing
// ones on.

#include "livepatch/patch_moves.h"

#include "base/eternal.h"
#include "base/log.h"
#include "livepatch/patch_core.h"
#include "ops/redirect.h"
#include "sites/symbols.h"

#include <errno.h>

namespace nophook {

Change g_change = {};

namespace {

Array<Move> &kept_moves() {
  static Eternal<Array<Move>> moves;
  return *moves;
}

const Version *version_in(const nophook_klp *core, const Dispatch *dispatch) {
  for (const PatchedFunc &func : core->funcs)
    if (func.dispatch == dispatch)
      return &func.version;
  return nullptr;
}

// The version of a function with the patch that changes, which is the newest, or about to be; the
// next function gives the version without it.
const Version *with(const nophook_klp *core, const Dispatch *dispatch) {
  if (const Version *version = version_in(core, dispatch))
    return version;
  return core->patch->replace ? &dispatch->original : version_under(core->older, dispatch, nullptr);
}

Status add_move(Dispatch *dispatch) {
  for (const Move &move : kept_moves())
    if (move.dispatch == dispatch)
      return {};
  Move move = move_of(dispatch);
  if (move.from == move.to)
    return {};
  return kept_moves().push(move) ? Status{} : failure(ENOMEM, "no memory for a transition");
}

} // namespace

const Array<Move> &moves() {
  return kept_moves();
}

const Version *version_under(const nophook_klp *core, const Dispatch *dispatch,
                             const nophook_klp *left_out) {
  for (; core; core = core->older)
    if (core != left_out)
      if (const Version *version = version_in(core, dispatch))
        return version;
  return &dispatch->original;
}

Move move_of(Dispatch *dispatch) {
  const Version *has = with(g_change.core, dispatch),
                *has_not = version_under(newest_patch(), dispatch, g_change.core);
  return g_change.was_enabling ? Move{dispatch, has_not, has} : Move{dispatch, has, has_not};
}

Status find_moves() {
  kept_moves().clear();
  for (PatchedFunc &func : g_change.core->funcs)
    if (func.dispatch)
      NOPHOOK_TRY(add_move(func.dispatch));
  if (!g_change.core->patch->replace)
    return {};
  for (nophook_klp *other = g_change.core->older; other; other = other->older)
    for (PatchedFunc &func : other->funcs)
      if (func.dispatch)
        NOPHOOK_TRY(add_move(func.dispatch));
  return {};
}

Status turn_on(Dispatch *dispatch, const Version *followed) {
  if (dispatch->is_on)
    return follow_patched(dispatch->id, followed->named);
  NOPHOOK_TRY(reserve_plans(dispatch));
  const uint64_t entry = dispatch->original.entry;
  publish_plan(dispatch, nullptr, entry, entry);
  publish_word(dispatch, entry);
  NOPHOOK_TRY(add_patched(dispatch->module, dispatch->record(), dispatch->stub, followed->named));
  dispatch->is_on = true;
  return {};
}

void settle(Dispatch *dispatch) {
  const Version *now = version_under(newest_patch(), dispatch, nullptr);
  if (!dispatch->is_on)
    return;
  Status status;
  if (now != &dispatch->original) {
    status = follow_patched(dispatch->id, now->named);
  } else if ((status = remove_patched(dispatch->id)).ok()) {
    dispatch->is_on = false;
  }
  if (!status.ok())
    log_line(
        LogText().add("livepatch: the site of a function cannot be changed: ").add(status.reason));
}

Status turn_moves_on() {
  for (const Move &move : moves()) {
    const Version *followed =
        g_change.was_enabling && move.to != &move.dispatch->original ? move.to : move.from;
    if (Status status = turn_on(move.dispatch, followed); !status.ok())
      return refuse(g_change.core, name_of_function(move.dispatch->id).c_str(), status);
  }
  return {};
}

} // namespace nophook
