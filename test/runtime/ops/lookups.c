// ftrace_location finds a site from any address up to it; records come once each, in order, and a
// visitor can end it; names, addresses and rows lead to each other.
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

UNTRACED static void check_each_into_the_other(unsigned long site) {
  struct ftrace_record by_address, by_row;
  char name[16];
  EXPECT_EQ(ftrace_get_record(site, 0, &by_address), 0);
  EXPECT_EQ(by_address.ip, site);
  EXPECT_EQ(ftrace_lookup_name("alpha", 0), by_address.index);
  EXPECT_EQ(ftrace_lookup_name("alpha", by_address.index), 0);
  EXPECT_EQ(ftrace_lookup_name("main", 0), 0);
  EXPECT_EQ(ftrace_lookup_name("alph", 0), 0);
  EXPECT_EQ(ftrace_get_record(0, by_address.index, &by_row), 0);
  EXPECT_EQ(by_row.ip, site);
  EXPECT_EQ(ftrace_get_record(0, 0, &by_row), -ENOENT);
  EXPECT_EQ(ftrace_get_record(0, 3, &by_row), -ENOENT);
  EXPECT_EQ(ftrace_get_record((unsigned long)&last_index, 0, &by_row), -ENOENT);
  EXPECT_EQ(ftrace_lookup_symbol(site, name, 6), 0);
  EXPECT_EQ(strcmp(name, "alpha"), 0);
  EXPECT_EQ(ftrace_lookup_symbol(site + 6, name, 6), 0); // in its body
  EXPECT_EQ(ftrace_lookup_symbol(site, name, 5), -ERANGE);
  EXPECT_EQ(ftrace_lookup_symbol((unsigned long)&last_index, name, 6), -ENOENT);
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
  check_each_into_the_other(site);
  beta();
  return failures;
}
