// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks through modules in the order of their ids, and reads the names of one module at a time.

#include "tracefs/function_list.h"

#include "ops/module_name.h"
#include "sites/symbols.h"

#include <sys/auxv.h>

namespace nophook {

static bool is_the_program(const Module *module) {
  uint64_t headers = getauxval(AT_PHDR);
  return headers >= module->start && headers < module->end;
}

void add_name(ControlText &text, const Function &function) {
  if (function.name)
    text.add(function.name);
  else
    text.add("0x").hex(function.ip);
  const ModuleName module(function.module);
  if (!is_the_program(function.module))
    text.add(" [").add(function.module->calls ? module.name.c_str() : module.stem.c_str()).add("]");
}

Status add_names(ControlText &text, const FtraceHash *wanted) {
  return each_function(wanted, [&](const Function &function) {
    add_name(text, function);
    text.add("\n");
  });
}

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

} // namespace nophook
