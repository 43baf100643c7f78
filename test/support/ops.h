// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that tests of callbacks share: an ops that counts its calls, and a record's flags.

#pragma once

#include "text.h"

#include <errno.h>
#include <ftrace.h>

// An ops, and the number of its calls.
struct Counted {
  struct ftrace_ops ops; // the first member, so that a callback finds the struct
  long calls;
};

UNTRACED static void count_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
                                struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  __atomic_fetch_add(&((struct Counted *)ops)->calls, 1, __ATOMIC_RELAXED);
}
#ifdef __cplusplus
#define COUNTED(flags_)                                                                            \
  {{count_call, nullptr, (flags_), nullptr, nullptr, nullptr, nullptr, nullptr, 0}, 0}
#else
#define COUNTED(flags_)                                                                            \
  {                                                                                                \
    .ops = {.func = count_call, .flags = (flags_) }                                                \
  }
#endif

// The number of calls since the last question.
UNTRACED static long calls_of(struct Counted *counted) {
  return __atomic_exchange_n(&counted->calls, 0, __ATOMIC_RELAXED);
}

UNTRACED static int set_filter(struct ftrace_ops *ops, const char *text, int reset) {
  return ftrace_set_filter(ops, (const unsigned char *)text, (int)strlen(text), reset);
}
UNTRACED static int set_notrace(struct ftrace_ops *ops, const char *text, int reset) {
  return ftrace_set_notrace(ops, (const unsigned char *)text, (int)strlen(text), reset);
}

// Resident memory that is the process's alone and no file's, in KiB, counted page by page: statm is
// up to 64 pages off for each processor, code that runs for the first time brings pages in, and
// rings fill.
UNTRACED static long anonymous_kib(void) {
  char line[256];
  long kib = -1;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && kib < 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "Anonymous: %ld", &kib) != 1)
      kib = -1;
  if (file)
    fclose(file);
  EXPECT(kib > 0);
  return kib;
}

struct RecordSearch {
  unsigned long ip;
  struct ftrace_record found;
};
UNTRACED static int record_visit(const struct ftrace_record *record, void *raw) {
  struct RecordSearch *search = (struct RecordSearch *)raw;
  if (record->ip != search->ip)
    return 0;
  search->found = *record;
  return 1;
}
#define RECORD(function) record_of((unsigned long)(function))
UNTRACED static struct ftrace_record record_of(unsigned long function) {
  struct RecordSearch search;
  memset(&search, 0, sizeof search);
  search.ip = ftrace_location(function);
  EXPECT_EQ(ftrace_for_each_record(record_visit, &search), 1);
  return search.found;
}
