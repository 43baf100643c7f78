// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as control files list them: by rising ids, which a filter takes as indices, each as
// `name`, or its address, and `[module]` unless it is the program's own.

#pragma once

#include "ops/adopt.h"
#include "tracefs/control_text.h"
#include "tracefs/function_names.h"

namespace nophook {

struct Function {
  const Module *module;
  const char *name; // name of the function; null: its file has none for it
  uint32_t id;
  uint64_t ip;
  uint32_t flags;
  SiteState state;
};

void add_name(ControlText &text, const Function &function);

// Calls line(function) for each function that `wanted` has (null: all). Under the runtime's lock.
// Errors: ENOMEM.
template <class Line> Status each_function(const FtraceHash *wanted, Line line) {
  NOPHOOK_TRY(adopt_modules());
  FunctionNames names;
  for (Module *m = module_from(0); m; m = module_from(m->first_id + 1)) {
    NOPHOOK_TRY(names.read(m, wanted));
    m->records.each([&](uint32_t index, uint64_t ip, uint32_t flags, SiteState state) {
      if (!wanted || hash_has(wanted, m->first_id + index))
        line(Function{m, names.of(index), m->first_id + index, ip, flags, state});
    });
  }
  return {};
}

// Adds one name a line. Errors as each_function().
Status add_names(ControlText &text, const FtraceHash *wanted);

// Adds the name of the function at `ip`, or the address. Errors as each_function().
Status add_place(ControlText &text, uint64_t ip);

} // namespace nophook
