// The buffer's files: its clock, the size of pages and the part that readers wait for, snapshots.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "tree.h"

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED int main(void) {
  EXPECT_EQ(echo("1", "snapshot", 0), -ENODEV);
  EXPECT(strstr(cat("trace_clock"), "local global counter ") != NULL ||
         strstr(cat("trace_clock"), "[mono]") != NULL);
  EXPECT_EQ(echo("nonsense", "trace_clock", 0), -EINVAL);
  EXPECT_EQ(echo("counter", "trace_clock", 0), 0);
  EXPECT_TEXT("trace_clock", "local global [counter] mono mono_raw boot x86-tsc\n");
  EXPECT_EQ(echo("local", "trace_clock", 0), 0);
  EXPECT_TEXT("trace_clock", "[local] global counter mono mono_raw boot x86-tsc\n");
  EXPECT_EQ(echo("mono_raw", "trace_clock", 0), 0);
  EXPECT_TEXT("trace_clock", "local global counter mono [mono_raw] boot x86-tsc\n");
  EXPECT_TEXT("timestamp_mode", "[delta] absolute\n");
  EXPECT_TEXT("buffer_percent", "50\n");
  EXPECT_EQ(echo("100", "buffer_percent", 0), 0);
  EXPECT_EQ(echo("101", "buffer_percent", 0), -EINVAL);
  EXPECT_TEXT("buffer_percent", "100\n");
  EXPECT_TEXT("buffer_subbuf_size_kb", "4\n");
  EXPECT_EQ(echo("9", "buffer_subbuf_size_kb", 0), 0);
  EXPECT_TEXT("buffer_subbuf_size_kb", "16\n");
  EXPECT(strstr(cat("events/header_page"), "char data;\toffset:16;\tsize:16368;") != NULL);
  EXPECT_EQ(echo("65", "buffer_subbuf_size_kb", 0), -EINVAL);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  leaf();
  EXPECT_EQ(echo("local", "trace_clock", 0), 0); // the same clock
  EXPECT_TEXT("trace_clock", "[local] global counter mono mono_raw boot x86-tsc\n");
  EXPECT(strstr(cat("snapshot"), "#\n# * Snapshot is freed *\n#\n") == cat("snapshot"));
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0); // the events that it left can be set aside, too
  EXPECT_EQ(echo("1", "snapshot", 0), 0);
  EXPECT_EQ(echo("function", "current_tracer", 0), 0);
  EXPECT(strstr(cat("snapshot"), "#\n# * Snapshot is allocated *\n#\n") == cat("snapshot"));
  EXPECT_EQ(echo("0", "snapshot", 0), 0);
  EXPECT(strstr(cat("snapshot"), "#\n# * Snapshot is freed *\n#\n") == cat("snapshot"));
  EXPECT_EQ(echo("x", "snapshot", 0), -EINVAL);
  for (int i = 0; i < 20; i++)
    EXPECT_EQ(echo(i == 10 ? "2" : "1", "snapshot", 0), 0); // 16 would be the most
  // Closing free_buffer leaves the least that there is, and pauses if that is wanted.
  EXPECT_EQ(echo("2048", "buffer_size_kb", 0), 0);
  EXPECT_EQ(echo("1", "free_buffer", 0), 0);
  EXPECT_TEXT("buffer_size_kb", "1024\n");
  EXPECT_TEXT("tracing_on", "1\n");
  EXPECT_EQ(echo("disable_on_free", "trace_options", 0), 0);
  EXPECT_EQ(echo("", "free_buffer", 0), 0);
  EXPECT_TEXT("tracing_on", "0\n");
  return failures;
}
