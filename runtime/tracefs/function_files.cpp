// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that list functions: the traceable ones, and those that have users.

#include "base/lock.h"
#include "calls/calls.h"
#include "ops/adopt.h"
#include "ops/ops.h"
#include "ops/recursion.h"
#include "ops/redirect.h"
#include "ops/update.h"
#include "tracefs/control_file.h"
#include "tracefs/function_list.h"
#include "tracers/named_settings.h"

namespace nophook {
namespace {

Status read_available(FileTarget, ControlText &text) {
  RuntimeLock lock;
  return add_names(text, nullptr);
}

Status read_available_addresses(FileTarget, ControlText &text) {
  RuntimeLock lock;
  return each_function(nullptr, [&](const Function &function) {
    text.hex(function.ip).add(" ");
    add_name(text, function);
    text.add("\n");
  });
}

const char *way_of(Site site) {
  switch (site) {
  case Site::kFunction:
    return "function";
  case Site::kGraph:
    return "function_graph";
  case Site::kProfile:
    return "profile";
  case Site::kHits:
    return "hits";
  case Site::kOps:
    return "ftrace_caller";
  case Site::kOpsRegs:
    return "ftrace_regs_caller";
  case Site::kOpsExit:
    return "ftrace_exit_caller";
  default:
    return nullptr;
  }
}

bool any_ops(uint32_t id, unsigned long flag) {
  for (ftrace_ops *ops = registered_ops(); ops; ops = ops->next)
    if (flags_of(ops) & flag && ops_has(ops, id))
      return true;
  return false;
}

// Adds a line `name [module] (count)` with the kernel's columns: R all registers, I the instruction
// pointer may be changed, D called directly, O (its call_ops) never, M changed before; then the
// target of the site. A redirected function has `-> ` and the new one's name.
Status add_users(ControlText &text, const Function &function) {
  add_name(text, function);
  text.add(" (").number(function.flags & kFtraceRefMask).add(")");
  text.add(function.flags & kFtraceRegs ? " R" : "  ");
  text.add(any_ops(function.id, FTRACE_OPS_FL_IPMODIFY) ? " I" : "  ");
  text.add(any_ops(function.id, FTRACE_OPS_FL_DIRECT) ? " D" : "  ").add("  ");
  text.add(function.state & kStateModified ? " M " : "   ");
  if (const Redirect *redirect = redirect_of(function.id)) {
    text.add("\t-> ");
    NOPHOOK_TRY(add_place(text, redirect->target));
  } else if (const char *way = way_of(site_of(function.state))) {
    text.add("\ttramp: ").add(way);
  }
  text.add("\n");
  return {};
}

template <class Wanted> Status list_users(ControlText &text, Wanted is_wanted) {
  RuntimeLock lock;
  Status status;
  NOPHOOK_TRY(each_function(nullptr, [&](const Function &function) {
    if (status.ok() && is_wanted(function))
      status = add_users(text, function);
  }));
  return status;
}

Status read_enabled(FileTarget, ControlText &text) {
  {
    RuntimeLock lock;
    NOPHOOK_TRY(restore_sites());
  }
  return list_users(
      text, [](const Function &f) { return (f.flags & kFtraceRefMask) != 0 || redirect_of(f.id); });
}

Status read_touched(FileTarget, ControlText &text) {
  return list_users(text, [](const Function &f) { return (f.state & kStateTouched) != 0; });
}

Status read_total_info(FileTarget, ControlText &text) {
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  uint64_t records = 0, pages = 0, groups = 0;
  for (Module *m = module_from(0); m; m = module_from(m->first_id + 1)) {
    records += m->records.count();
    pages += m->records.page_count();
    groups++;
  }
  text.number(records).add(" pages:").number(pages).add(" groups: ").number(groups).add("\n");
  if (calls_are_traced()) {
    const CallCounts calls = call_counts();
    text.number(calls.slots).add(" slots of calls, ").number(calls.lost).add(" set again\n");
  }
  return {};
}

// Shows the calls at which recursion was stopped: caller, function.
Status read_recursed(FileTarget, ControlText &text) {
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  const RecursedFunction *recursed = recursed_functions();
  for (uint32_t i = 0; i < kRecursedFunctions && recursed[i].ip; i++) {
    NOPHOOK_TRY(add_place(text, recursed[i].parent_ip));
    text.add(":\t");
    NOPHOOK_TRY(add_place(text, recursed[i].ip));
    text.add("\n");
  }
  return {};
}

Status read_ftrace_enabled(FileTarget, ControlText &text) {
  RuntimeLock lock;
  text.number(ftrace_is_enabled()).add("\n");
  return {};
}

Status write_ftrace_enabled(FileTarget, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  RuntimeLock lock;
  return enable_ftrace(number != 0);
}

const ControlFile kFiles[] = {
    {.path = "available_filter_functions", .scope = SettingScope::kTop, .read = read_available},
    {.path = "available_filter_functions_addrs",
     .scope = SettingScope::kTop,
     .read = read_available_addresses},
    {.path = "dyn_ftrace_total_info", .scope = SettingScope::kTop, .read = read_total_info},
    {.path = "enabled_functions", .scope = SettingScope::kTop, .read = read_enabled},
    {.path = "recursed_functions", .scope = SettingScope::kTop, .read = read_recursed},
    {.path = "sys/kernel/ftrace_enabled",
     .scope = SettingScope::kTop,
     .read = read_ftrace_enabled,
     .write = write_ftrace_enabled},
    {.path = "touched_functions", .scope = SettingScope::kTop, .read = read_touched},
};

} // namespace

ControlFiles function_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
