// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that list functions, and the two filters of the tracers. Lists are in the order of
// the functions' indices, which a filter takes as well.

#include "base/lock.h"
#include "ops/module_name.h"
#include "ops/ops.h"
#include "ops/recursion.h"
#include "ops/redirect.h"
#include "ops/update.h"
#include "sites/symbols.h"
#include "tracefs/control_file.h"
#include "tracefs/function_names.h"
#include "tracers/settings.h"
#include "tracers/triggers.h"

#include <sys/auxv.h>

namespace nophook {
namespace {

bool is_the_program(const Module *module) {
  uint64_t headers = getauxval(AT_PHDR);
  return headers >= module->start && headers < module->end;
}

struct Function {
  const Module *module;
  const char *name; // null: its file has none for it
  uint32_t id;
  uint64_t ip;
  uint32_t flags;
  uint8_t state;
};

// As lists show it: `name`, or the address, and `[module]` unless it is the program's own.
void add_name(ControlText &text, const Function &function) {
  if (function.name)
    text.add(function.name);
  else
    text.add("0x").hex(function.ip);
  if (!is_the_program(function.module))
    text.add(" [").add(ModuleName(function.module).stem.c_str()).add("]");
}

// Calls line(function) for each that `wanted` has (null: all), by rising ids.
template <class Line> Status each_function(const FtraceHash *wanted, Line line) {
  NOPHOOK_TRY(adopt_modules());
  FunctionNames names;
  for (Module *m = module_from(0); m; m = module_from(m->first_id + 1)) {
    NOPHOOK_TRY(names.read(m, wanted));
    m->records.each([&](uint32_t index, uint64_t ip, uint32_t flags, uint8_t state) {
      if (!wanted || hash_has(wanted, m->first_id + index))
        line(Function{m, names.of(index), m->first_id + index, ip, flags, state});
    });
  }
  return {};
}

// One name a line.
Status add_names(ControlText &text, const FtraceHash *wanted) {
  return each_function(wanted, [&](const Function &function) {
    add_name(text, function);
    text.add("\n");
  });
}

Status read_available(ControlText &text) {
  RuntimeLock lock;
  return add_names(text, nullptr);
}

Status read_available_addresses(ControlText &text) {
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

// `name [module] (count)` and the kernel's columns: R all registers, I the instruction pointer may
// be changed, D called directly, O (its call_ops) never, M changed before; then where the site
// leads.
void add_users(ControlText &text, const Function &function) {
  add_name(text, function);
  text.add(" (").number(function.flags & kFtraceRefMask).add(")");
  text.add(function.flags & kFtraceRegs ? " R" : "  ");
  text.add(any_ops(function.id, FTRACE_OPS_FL_IPMODIFY) ? " I" : "  ");
  text.add(any_ops(function.id, FTRACE_OPS_FL_DIRECT) ? " D" : "  ").add("  ");
  text.add(function.state & kStateModified ? " M " : "   ");
  if (const Redirect *redirect = redirect_of(function.id))
    text.add("\t-> 0x").hex(redirect->target);
  else if (const char *way = way_of(site_of(function.state)))
    text.add("\ttramp: ").add(way);
  text.add("\n");
}

template <class Wanted> Status list_users(ControlText &text, Wanted is_wanted) {
  RuntimeLock lock;
  return each_function(nullptr, [&](const Function &function) {
    if (is_wanted(function))
      add_users(text, function);
  });
}

Status read_enabled(ControlText &text) {
  return list_users(text, [](const Function &f) { return (f.flags & kFtraceRefMask) != 0; });
}

Status read_touched(ControlText &text) {
  return list_users(text, [](const Function &f) { return (f.state & kStateTouched) != 0; });
}

Status read_total_info(ControlText &text) {
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  uint64_t records = 0, pages = 0, groups = 0;
  for (Module *m = module_from(0); m; m = module_from(m->first_id + 1)) {
    records += m->records.count();
    pages += m->records.page_count();
    groups++;
  }
  text.number(records).add(" pages:").number(pages).add(" groups: ").number(groups).add("\n");
  return {};
}

// A traceable function's name, or the address.
Status add_place(ControlText &text, uint64_t ip) {
  Module *module;
  uint32_t index;
  if (!find_function(ip, &module, &index)) {
    text.add("0x").hex(ip);
    return {};
  }
  FtraceHash *only = new_hash(module->first_id + index + 1);
  if (!only)
    return failure(ENOMEM, "no memory for a function's name");
  hash_set(only, module->first_id + index, true);
  FunctionNames names;
  Status status = names.read(module, only);
  free_hash(only);
  NOPHOOK_TRY(status);
  add_name(text, {module, names.of(index), module->first_id + index, ip, 0, 0});
  return {};
}

// Where callbacks have called themselves again: caller, function.
Status read_recursed(ControlText &text) {
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

// `function:command:unlimited` or `function:command:count=N`, as the kernel lists them.
Status add_triggers(ControlText &text) {
  struct List {
    ControlText *text;
    Status status;
  } list = {&text, {}};
  each_trigger(
      [](void *context, const TriggerView &trigger) {
        auto &to = *static_cast<List *>(context);
        if (!to.status.ok() || hash_is_empty(trigger.functions))
          return;
        to.status = each_function(trigger.functions, [&](const Function &function) {
          add_name(*to.text, function);
          to.text->add(":").add(trigger.command);
          if (trigger.count < 0)
            to.text->add(":unlimited\n");
          else
            to.text->add(":count=").number((uint64_t)trigger.count).add("\n");
        });
      },
      &list);
  return list.status;
}

Status read_filter(ControlText &text, TracerFilter which, const char *nothing) {
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  Filter *filter;
  NOPHOOK_TRY(tracer_filter(which, &filter));
  uint64_t before = text.size();
  if (!hash_is_empty(filter->hash()))
    NOPHOOK_TRY(add_names(text, filter->hash()));
  if (which == TracerFilter::kFilter)
    NOPHOOK_TRY(add_triggers(text));
  filter->each_waiting(
      [](void *to, const char *rule) { static_cast<ControlText *>(to)->add(rule).add("\n"); },
      &text);
  if (text.size() == before)
    text.add(nothing);
  return {};
}

Status read_set_filter(ControlText &text) {
  return read_filter(text, TracerFilter::kFilter, "#### all functions enabled ####\n");
}

Status read_set_notrace(ControlText &text) {
  return read_filter(text, TracerFilter::kNotrace, "#### no functions disabled ####\n");
}

Status read_ftrace_enabled(ControlText &text) {
  RuntimeLock lock;
  text.number(ftrace_is_enabled()).add("\n");
  return {};
}

Status write_ftrace_enabled(const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  RuntimeLock lock;
  return enable_ftrace(number != 0);
}

const ControlFile kFiles[] = {
    {.path = "available_filter_functions", .read = read_available},
    {.path = "available_filter_functions_addrs", .read = read_available_addresses},
    {.path = "dyn_ftrace_total_info", .read = read_total_info},
    {.path = "enabled_functions", .read = read_enabled},
    {.path = "recursed_functions", .read = read_recursed},
    {.path = "set_ftrace_filter",
     .kind = ControlFile::Kind::kFunctions,
     .read = read_set_filter,
     .filter = TracerFilter::kFilter},
    {.path = "set_ftrace_notrace",
     .kind = ControlFile::Kind::kFunctions,
     .read = read_set_notrace,
     .filter = TracerFilter::kNotrace},
    {.path = "sys/kernel/ftrace_enabled",
     .read = read_ftrace_enabled,
     .write = write_ftrace_enabled},
    {.path = "touched_functions", .read = read_touched},
};

} // namespace

ControlFiles function_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
