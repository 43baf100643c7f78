// The stack tracer keeps the deepest stack, of the functions of its filter, until it is reset.
// RUN: %traced_cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls %s -o %t %linked && %t
#include "tree.h"

#include <pthread.h>

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void wide(void) {
  char room[4096];
  KEEP(room);
  leaf();
  KEEP(room);
}
NOINLINE void outer(void) {
  wide();
  KEEP(1);
}

UNTRACED static long most(void) { return atol(cat("stack_max_size")); }
UNTRACED static void *work(void *unused) {
  outer();
  return unused;
}

UNTRACED int main(void) {
  char *row;
  long depth, size;
  EXPECT_TEXT("stack_trace_filter", "#### all functions enabled ####\n");
  EXPECT_TEXT("sys/kernel/stack_tracer_enabled", "0\n");
  EXPECT(strstr(cat("stack_trace"), "(0 entries)") && strstr(cat("stack_trace"), "Stack tracer disabled"));
  EXPECT_EQ(echo("1", "sys/kernel/stack_tracer_enabled", 0), 0);
  EXPECT_TEXT("sys/kernel/stack_tracer_enabled", "1\n");
  outer();
  long first = most();
  EXPECT(first > 4096);
  const char *text = cat("stack_trace");
  EXPECT(strstr(text, "        Depth    Size   Location    (") == text);
  EXPECT((row = strstr(text, "\n  0) ")) && sscanf(row, "\n  0) %ld %ld leaf+0x", &depth, &size) == 2 && depth == first);
  EXPECT((row = strstr(text, "\n  1) ")) && sscanf(row, "\n  1) %ld %ld wide+0x", &depth, &size) == 2 && size >= 4096 && strstr(row, "wide+0x"));
  EXPECT((row = strstr(text, "\n  2) ")) && strstr(row, "outer+0x"));
  leaf(); // it is not as deep
  EXPECT_EQ(most(), first);
  EXPECT_EQ(echo("outer", "stack_trace_filter", 0), 0);
  EXPECT_TEXT("stack_trace_filter", "outer\n");
  EXPECT_EQ(echo("0", "stack_max_size", 0), 0);
  outer();
  EXPECT(most() > 0 && most() < first);
  EXPECT(strstr(cat("stack_trace"), "  0) ") && strstr(cat("stack_trace"), "outer+0x"));
  EXPECT_EQ(echo("", "stack_trace_filter", 0), 0);
  EXPECT_EQ(echo("0", "stack_max_size", 0), 0);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  EXPECT(most() > 4096 && most() < 65536); // from the top of its own stack
  EXPECT_EQ(echo("0", "sys/kernel/stack_tracer_enabled", 0), 0);
  EXPECT_EQ(echo("0", "stack_max_size", 0), 0);
  outer();
  EXPECT_EQ(most(), 0);
  EXPECT_TEXT("enabled_functions", "");
  return failures;
}
