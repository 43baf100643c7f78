// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that look records up.

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include "base/lock.h"
#include "ops/adopt.h"
#include "ops/redirect.h"
#include "sites/symbols.h"

#include <errno.h>
#include <string.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

namespace {

ftrace_record describe(const Module *m, uint32_t i) {
  const Redirect *redirect = redirect_of(m->first_id + i);
  return {m->records.ip(i),
          m->first_id + i + 1,
          m->records.at(i).flags,
          0,
          m->path,
          redirect ? redirect->target : 0};
}

// A search for the function of a name with the lowest row behind `after`.
struct ByName {
  const char *name;
  unsigned long after;
  const Module *module;
  unsigned long row; // row of the function; 0: none so far
};

void visit_name(void *context, const char *name, uint64_t address, uint64_t bytes) {
  auto *wanted = static_cast<ByName *>(context);
  uint32_t index;
  if (strcmp(name, wanted->name) != 0 || !find_record(wanted->module, address, bytes, &index))
    return;
  unsigned long row = wanted->module->first_id + index + 1;
  if (row > wanted->after && (!wanted->row || row < wanted->row))
    wanted->row = row;
}

struct ByPlace {
  unsigned long ip;
  char *name;
  size_t bytes;
  int result;
};

void visit_place(void *context, const char *name, uint64_t address, uint64_t bytes) {
  auto *wanted = static_cast<ByPlace *>(context);
  if (wanted->result != -ENOENT || wanted->ip < address || wanted->ip - address >= bytes)
    return;
  size_t length = strlen(name);
  wanted->result = length < wanted->bytes ? 0 : -ERANGE;
  if (!wanted->result)
    memcpy(wanted->name, name, length + 1);
}

bool has_row(const Module *m, unsigned long row) {
  return m->loaded && row > m->first_id && row - m->first_id <= m->records.count();
}

} // namespace

NOPHOOK_API int ftrace_get_record(unsigned long ip, unsigned long row, ftrace_record *record) {
  if (must_not_lock())
    return -EBUSY;
  RuntimeLock lock;
  Module *module;
  uint32_t index;
  if (!adopt_modules().ok() || !record)
    return -ENOENT;
  if (ip) {
    if (!find_function(ip, &module, &index))
      return -ENOENT;
    *record = describe(module, index);
    return 0;
  }
  for (Module *m = first_module(); m; m = m->next)
    if (has_row(m, row)) {
      *record = describe(m, (uint32_t)(row - 1 - m->first_id));
      return 0;
    }
  return -ENOENT;
}

NOPHOOK_API unsigned long ftrace_lookup_name(const char *name, unsigned long after) {
  if (must_not_lock())
    return 0;
  RuntimeLock lock;
  if (!name || !adopt_modules().ok())
    return 0;
  ByName wanted = {name, after, nullptr, 0};
  for (Module *m = first_module(); m; m = m->next) {
    wanted.module = m;
    if (m->loaded && m->records.count())
      (void)visit_symbols(m, visit_name, &wanted).ok(); // a removed file has no names
  }
  return wanted.row;
}

NOPHOOK_API int ftrace_lookup_symbol(unsigned long ip, char *name, size_t bytes) {
  if (must_not_lock())
    return -EBUSY;
  RuntimeLock lock;
  Module *module;
  uint32_t index;
  if (!name || !adopt_modules().ok() || !find_function(ip, &module, &index))
    return -ENOENT;
  ByPlace wanted = {module->records.ip(index), name, bytes, -ENOENT};
  (void)visit_symbols(module, visit_place, &wanted).ok(); // a removed file has no names
  return wanted.result;
}

NOPHOOK_API unsigned long ftrace_location(unsigned long ip) {
  if (must_not_lock())
    return 0;
  RuntimeLock lock;
  Module *module;
  uint32_t index;
  if (!adopt_modules().ok() || !find_function(ip, &module, &index))
    return 0;
  return module->records.ip(index);
}

NOPHOOK_API int ftrace_for_each_record(int (*visit)(const ftrace_record *, void *), void *data) {
  if (must_not_lock())
    return -EBUSY;
  RuntimeLock lock;
  Status status = adopt_modules();
  if (!status.ok())
    return -status.error;
  int result = 0;
  for (Module *m = module_from(0); m && !result; m = module_from(m->first_id + 1))
    for (uint32_t i = 0; i < m->records.count() && !result; i++) {
      ftrace_record record = describe(m, i);
      result = visit(&record, data);
    }
  return result;
}
