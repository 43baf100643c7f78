// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two unwinders that start at a signal's context and keep the names of the functions that a
// test declares as its own: by the DWARF tables, as exceptions and backtrace() do, and by
// frame pointers, as perf and sanitizers do. Link with -rdynamic: names come from dladdr.

#pragma once

#include "program.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

extern const char *const walk_names[]; // the test's functions, "main" and NULL at the end

typedef struct List {
  char text[160]; // names of the calls, each with a blank behind it, innermost first
} List;

UNTRACED static const char *walk_look_up(uintptr_t address) {
  Dl_info info;
  if (dladdr((void *)address, &info) && info.dli_sname)
    for (const char *const *name = walk_names; *name; name++)
      if (strcmp(info.dli_sname, *name) == 0)
        return *name;
  return NULL;
}

// The name of an address, from a cache: a test asks for few addresses very often.
UNTRACED static const char *walk_name(uintptr_t address) {
  static struct {
    uintptr_t address;
    const char *name;
  } known[4096];
  unsigned slot = (unsigned)(address * 31) % 4096;
  if (known[slot].address != address) {
    known[slot].name = walk_look_up(address);
    known[slot].address = address;
  }
  return known[slot].name;
}

UNTRACED static void walk_add(List *list, uintptr_t address) {
  const char *name = walk_name(address);
  if (name && strlen(list->text) + strlen(name) + 2 < sizeof list->text)
    strcat(strcat(list->text, name), " ");
}

struct Walk {
  List list;
  uintptr_t from;
};

UNTRACED static _Unwind_Reason_Code walk_frame(struct _Unwind_Context *context, void *raw) {
  struct Walk *walk = (struct Walk *)raw;
  // Whether the address is an interrupted instruction, else it is a return address.
  int interrupted = 0;
  uintptr_t ip = _Unwind_GetIPInfo(context, &interrupted);
  if (walk->from && ip != walk->from)
    return _URC_NO_REASON; // the frames are the handler's own
  walk->from = 0;
  walk_add(&walk->list, interrupted ? ip : ip - 1);
  return _URC_NO_REASON;
}

UNTRACED static List walk_tables(const ucontext_t *context) {
  struct Walk walk = {{""}, (uintptr_t)context->uc_mcontext.gregs[REG_RIP]};
  _Unwind_Backtrace(walk_frame, &walk);
  return walk.list;
}

UNTRACED static List walk_frame_pointers(const ucontext_t *context) {
  List list = {""};
  walk_add(&list, (uintptr_t)context->uc_mcontext.gregs[REG_RIP]);
  const uintptr_t *frame = (const uintptr_t *)context->uc_mcontext.gregs[REG_RBP];
  for (int i = 0; i < 12; i++) {
    walk_add(&list, frame[1] - 1);
    if (frame[0] <= (uintptr_t)frame || strstr(list.text, "main"))
      break;
    frame = (const uintptr_t *)frame[0];
  }
  return list;
}
