// ftrace_location finds a site from any address up to it; records come once each,
// in order, and a visitor can end it.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %traced_cc -O1 -fcf-protection=full %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
static unsigned long last_index, records, found, alpha_site;
UNTRACED static int visit(const struct ftrace_record *record, void *data) {
  EXPECT_EQ(record->index, last_index + 1);
  last_index = record->index;
  records++;
  found += record->ip == alpha_site;
  EXPECT(strstr(record->module, "lookups.c.tmp") != NULL);
  EXPECT_EQ(record->redirect, 0);
  return data && records == 1 ? 77 : 0;
}

UNTRACED int main(void) {
  unsigned long entry = (unsigned long)alpha, site = ftrace_location(entry);
  alpha_site = site;
  EXPECT(site == entry || site == entry + 4);
  for (unsigned long ip = entry; ip <= site; ip++)
    EXPECT_EQ(ftrace_location(ip), site);
  EXPECT_EQ(ftrace_location(0), 0);
  EXPECT_EQ(ftrace_location((unsigned long)main), 0);
  EXPECT_EQ(ftrace_location((unsigned long)&last_index), 0);
  EXPECT_EQ(ftrace_location(~0ul), 0);
  EXPECT_EQ(ftrace_for_each_record(visit, NULL), 0);
  EXPECT_EQ(records, 2);
  EXPECT_EQ(found, 1);
  last_index = records = 0;
  EXPECT_EQ(ftrace_for_each_record(visit, &records), 77);
  EXPECT_EQ(records, 1);
  beta();
  return failures;
}
