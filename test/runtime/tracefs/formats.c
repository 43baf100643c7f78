// events/: the formats of the tracers' events, for readers of the kernel's ring buffer.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "tree.h"

NOINLINE void leaf(void) { KEEP(0); }

UNTRACED int main(void) {
  leaf();
  EXPECT_TEXT("events/ftrace/function/format",
              "name: function\n"
              "ID: 1\n"
              "format:\n"
              "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
              "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
              "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
              "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
              "\n"
              "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
              "\tfield:unsigned long parent_ip;\toffset:16;\tsize:8;\tsigned:0;\n"
              "\n"
              "print fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n");
  EXPECT_TEXT("events/ftrace/funcgraph_exit/id", "10\n");
  EXPECT(strstr(cat("events/ftrace/funcgraph_exit/format"), "rettime;\toffset:32;\tsize:8;"));
  EXPECT(strstr(cat("events/header_page"), "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n"));
  EXPECT(strstr(cat("events/header_event"), "\tdata max type_len  == 28\n"));
  EXPECT_EQ(tracefs_read("events/ftrace/function", NULL, 0), -EISDIR);
  EXPECT_EQ(tracefs_read("events/ftrace/functio", NULL, 0), -ENOENT);
  EXPECT_EQ(echo("1", "events/ftrace/print/id", 0), -EACCES);
  EXPECT_TEXT("events/ftrace/print/id", "5\n");
  EXPECT_EQ(tracefs_read("events/ftrace/bprint/format", NULL, 0), -ENOENT); // trace_printk's is print
  return failures;
}
