// The function profiler by its two files: it begins again when it is switched on, its table is there
// when it is off, and it is refused while another tracer is on. Without graph-time the time of callees is left out.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

#include <unistd.h>

NOINLINE void inner(void) { KEEP(0); }
NOINLINE void sleeper(void) { usleep(20000); }
NOINLINE void waiter(void) {
  sleeper();
  KEEP(2);
}
NOINLINE void outer(void) {
  for (int i = 0; i < 3; i++)
    inner();
  KEEP(1);
}

#define TABLE "trace_stat/function0"
static const char kHead[] =
    "  Function                               Hit    Time            Avg             s^2\n"
    "  --------                               ---    ----            ---             ---\n";

// `  name …   hits    1.234 us     0.123 us     …`, or null.
UNTRACED static const char *row(const char *name, unsigned long hits) {
  char start[64];
  snprintf(start, sizeof start, "\n  %-30s  %10lu    ", name, hits);
  const char *found = strstr(cat(TABLE), start);
  double time, average, variance;
  int cells = found ? sscanf(found + strlen(start), "%lf us %lf us %lf us", &time, &average, &variance) : 0;
  EXPECT(!found || (cells == 3 && time > 0 && time >= average));
  return found;
}

UNTRACED int main(void) {
  EXPECT_TEXT("function_profile_enabled", "0\n");
  EXPECT_TEXT(TABLE, kHead);
  EXPECT_EQ(echo("on", "function_profile_enabled", 0), -EINVAL);
  EXPECT_EQ(echo("1", "function_profile_enabled", 0), 0);
  EXPECT_TEXT("function_profile_enabled", "1\n");
  EXPECT_TEXT("current_tracer", "profile\n");
  outer();
  outer();
  const char *first = row("outer", 2), *second = row("inner", 6);
  EXPECT(first && second && first < second); // both of the same text: the one that took longer
  EXPECT_EQ(echo("0", "function_profile_enabled", 0), 0);
  outer();
  EXPECT(row("outer", 2) != NULL);
  EXPECT_EQ(echo("5", "function_profile_enabled", 0), 0);
  outer();
  EXPECT(row("outer", 1) && row("inner", 3));
  waiter();
  first = row("waiter", 1), second = row("sleeper", 1);
  EXPECT(first && second && first < second && strtod(first + 48, NULL) >= 20000);
  EXPECT_EQ(echo("nosleep-time", "trace_options", 0), -EINVAL); // it was not looked at
  EXPECT_EQ(echo("0", "options/graph-time", 0), 0);
  first = row("waiter", 1), second = row("sleeper", 1);
  EXPECT(first && second && first > second);
  EXPECT(strtod(second + 48, NULL) >= 20000);
  EXPECT_EQ(echo("1", "options/graph-time", 0), 0);
  EXPECT_EQ(echo("0", "function_profile_enabled", 0), 0);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  EXPECT_EQ(echo("1", "function_profile_enabled", 0), -EBUSY);
  return failures;
}
