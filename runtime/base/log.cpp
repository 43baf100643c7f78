// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines may come from any thread and from signal handlers, so each takes a place of its own by one
// addition. A reader skips a line that is just being written.

#include "base/log.h"

#include "base/growing_file.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {
namespace {

enum class Kind : uint8_t { kInfo, kLine, kRefusal };

struct Line {
  uint32_t bytes; // length of the line; 0: there is none, or it is being written
  Kind kind;
  bool is_sunk;
  char text[sizeof(LogText) - 8];
};
constexpr uint32_t kLines = 32;

Line g_lines[kLines];
uint32_t g_count = 0;   // number of lines so far
uint32_t g_cleared = 0; // number of the first lines that are not shown
LogSink g_sink = nullptr;
bool g_is_asked = false; // whether lines go to g_file or, if that is empty, to standard error
Text<512> g_file;
bool g_is_routed = false, g_is_recorded = false, g_is_served = false;

void write_to(long fd, const char *line) {
  Text<600> text;
  text.add("nophook: ").add(line).add("\n");
  // A failed write is dropped: there is no other place for the line.
  sys_growing(SYS_write, fd, text.c_str(), text.size());
}

void write_where_asked(const char *line) {
  if (!g_file.size())
    return write_to(2, line);
  long fd = sys(SYS_openat, AT_FDCWD, g_file.c_str(),
                O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (sys_failed(fd))
    return;
  write_to(fd, line);
  sys(SYS_close, fd);
}

void sink(Line &line) {
  if (!line.is_sunk && line.kind != Kind::kInfo && g_sink)
    line.is_sunk = g_sink(line.text, line.bytes);
}

void refuse(const Line &line) {
  bool is_known = g_is_served || (g_is_recorded && line.is_sunk);
  bool is_there = g_is_asked && !g_file.size();
  if (line.kind == Kind::kRefusal && g_is_routed && !is_known && !is_there)
    write_to(2, line.text);
}

template <class Visit> void each_line(uint32_t first, Visit visit) {
  uint32_t count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = count - first > kLines ? count - kLines : first; i != count; i++)
    if (__atomic_load_n(&g_lines[i % kLines].bytes, __ATOMIC_ACQUIRE))
      visit(g_lines[i % kLines]);
}

void log(Kind kind, const char *text) {
  Line &line = g_lines[__atomic_fetch_add(&g_count, 1, __ATOMIC_ACQ_REL) % kLines];
  __atomic_store_n(&line.bytes, 0, __ATOMIC_RELEASE);
  uint64_t bytes = text_length(text);
  bytes = bytes < sizeof line.text ? bytes : sizeof line.text - 1;
  copy_bytes(line.text, text, bytes);
  line.text[bytes] = 0;
  line.kind = kind;
  line.is_sunk = false;
  __atomic_store_n(&line.bytes, (uint32_t)bytes, __ATOMIC_RELEASE);
  sink(line);
  if (g_is_asked)
    write_where_asked(text);
  refuse(line);
}

} // namespace

void set_log_sink(LogSink to) {
  g_sink = to;
  each_line(0, sink);
}

Status log_to(const char *where, uint64_t bytes) {
  constexpr char kError[] = "stderr";
  bool is_error = bytes == sizeof kError - 1 && equal_bytes(where, kError, bytes);
  if (!is_error && (!bytes || *where != '/'))
    return failure(EINVAL, "log is stderr, or an absolute path");
  if (bytes >= 512)
    return failure(ENAMETOOLONG, "the path of the log is too long");
  g_file = Text<512>();
  if (!is_error)
    g_file.add(where, bytes);
  g_is_asked = true;
  each_line(0, [](const Line &line) { write_where_asked(line.text); });
  return {};
}

void log_route(bool is_recorded, bool is_served) {
  g_is_routed = true;
  g_is_recorded = is_recorded;
  g_is_served = is_served;
  each_line(0, refuse);
}

void log_info(const char *line) {
  log(Kind::kInfo, line);
}

void log_line(const char *line) {
  log(Kind::kLine, line);
}

void log_refusal(const char *line) {
  log(Kind::kRefusal, line);
}

void visit_log(void (*visit)(void *context, const char *line), void *context) {
  each_line(__atomic_load_n(&g_cleared, __ATOMIC_RELAXED),
            [&](const Line &line) { visit(context, line.text); });
}

void clear_log() {
  __atomic_store_n(&g_cleared, __atomic_load_n(&g_count, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

} // namespace nophook
