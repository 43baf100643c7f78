// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log's default sink: standard error, one write for each line.

#include "base/log.h"

#include "base/growing_file.h"

namespace nophook {

static LogSink g_sink = nullptr;

void set_log_sink(LogSink sink) {
  g_sink = sink;
}

void log_line(const char *line) {
  if (g_sink && g_sink(line, text_length(line)))
    return;
  Text<600> text;
  text.add("nophook: ").add(line).add("\n");
  sys_growing(SYS_write, 2, text.c_str(), text.size());
}

} // namespace nophook
