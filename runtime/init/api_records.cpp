// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that look records up.

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include "base/lock.h"
#include "ops/ops.h"
#include "ops/redirect.h"
#include "sites/symbols.h"

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

NOPHOOK_API unsigned long ftrace_location(unsigned long ip) {
  RuntimeLock lock;
  Module *module;
  uint32_t index;
  if (!adopt_modules().ok() || !find_function(ip, &module, &index))
    return 0;
  return module->records.ip(index);
}

NOPHOOK_API int ftrace_for_each_record(int (*visit)(const ftrace_record *, void *), void *data) {
  RuntimeLock lock;
  Status status = adopt_modules();
  if (!status.ok())
    return -status.error;
  int result = 0;
  for (Module *m = module_from(0); m && !result; m = module_from(m->first_id + 1))
    for (uint32_t i = 0; i < m->records.count() && !result; i++) {
      const Redirect *redirect = redirect_of(m->first_id + i);
      ftrace_record record = {m->records.ip(i),
                              m->first_id + i + 1,
                              m->records.flags(i),
                              0,
                              m->path,
                              redirect ? redirect->target : 0};
      result = visit(&record, data);
    }
  return result;
}
