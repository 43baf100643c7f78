// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events made by text: the files that define them. A line is carried out by the write that has it,
// not when the file is closed, as in the kernel.

#include "base/lock.h"
#include "events/scanner.h"
#include "events/text_events.h"
#include "tracefs/control_file.h"
#include "tracefs/error_log.h"

#include <errno.h>

namespace nophook {
namespace {

// Adds a probe's text, as it can be written again.
void add_probe(ControlText &text, const TextProbe &probe) {
  const ProbeText &p = probe.text;
  text.add(&p.kind, 1).add(":").add(p.group.c_str()).add("/").add(p.event.c_str()).add(" ");
  text.add(p.function.c_str()).add(p.is_return && p.kind != 'r' ? "%return" : "");
  for (const FetchArgument &argument : p.arguments)
    text.add(" ").add(argument.name.c_str()).add("=").add(argument.text.c_str());
  text.add("\n");
}

template <class Visit> void each_probe(Visit visit) {
  for (TextEvent *event = first_event(); event; event = event->next)
    for (TextProbe *probe = event->probes; probe; probe = probe->next)
      visit(*probe);
}

Status read_events(FileTarget, ControlText &text) {
  RuntimeLock lock;
  each_probe([&](const TextProbe &probe) { add_probe(text, probe); });
  return {};
}

Status read_kprobes(FileTarget, ControlText &text) {
  RuntimeLock lock;
  each_probe([&](const TextProbe &probe) {
    if (probe.text.kind != 'f')
      add_probe(text, probe);
  });
  return {};
}

// Adds a column. The lines are `  NAME  HITS  MISSES`, in columns of 44, 15 and 15; misses are
// returns that were not seen.
void add_column(ControlText &text, const char *cell, uint64_t width, bool is_left) {
  uint64_t bytes = text_length(cell), pad = bytes < width ? width - bytes : 0;
  text.add(is_left ? cell : "");
  while (pad--)
    text.add(" ");
  text.add(is_left ? "" : cell);
}

Status read_profile(FileTarget, ControlText &text) {
  RuntimeLock lock;
  each_probe([&](const TextProbe &probe) {
    Text<24> hits, misses;
    hits.number(__atomic_load_n(&probe.hits, __ATOMIC_RELAXED));
    misses.number(__atomic_load_n(&probe.probe.nmissed, __ATOMIC_RELAXED));
    text.add("  ");
    add_column(text, probe.event->name.c_str(), 44, true);
    text.add(" ");
    add_column(text, hits.c_str(), 15, false);
    text.add(" ");
    add_column(text, misses.c_str(), 15, false);
    text.add("\n");
  });
  return {};
}

Status carry_out(const char *line, uint64_t bytes) {
  free_removed_events();
  uint64_t at;
  Status status;
  {
    RuntimeLock lock;
    status = change_events(line, bytes, &at);
  }
  if (!status.ok())
    keep_error(status, line, bytes, at, *line == 'f' ? "trace_fprobe" : "trace_kprobe");
  return status;
}

// Takes lines; the text behind a # is a comment.
Status write_events(FileTarget, const char *text, uint64_t bytes) {
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != '\n' && text[end];)
      end++;
    uint64_t stop = at;
    while (stop < end && text[stop] != '#')
      stop++;
    uint64_t begin = at;
    while (begin < stop && is_blank(text[begin]))
      begin++;
    while (stop > begin && is_blank(text[stop - 1]))
      stop--;
    if (stop > begin)
      NOPHOOK_TRY(carry_out(text + begin, stop - begin));
  }
  return {};
}

Status remove(const bool *is_fprobe) {
  free_removed_events();
  RuntimeLock lock;
  return remove_all_events(is_fprobe);
}

Status truncate_events(FileTarget) {
  return remove(nullptr);
}

Status truncate_kprobes(FileTarget) {
  bool is_fprobe = false;
  return remove(&is_fprobe);
}

const ControlFile kFiles[] = {
    {.path = "dynamic_events",
     .scope = SettingScope::kTop,
     .kind = ControlFile::Kind::kMessage,
     .read = read_events,
     .write = write_events,
     .truncate = truncate_events},
    {.path = "kprobe_events",
     .scope = SettingScope::kTop,
     .kind = ControlFile::Kind::kMessage,
     .read = read_kprobes,
     .write = write_events,
     .truncate = truncate_kprobes},
    {.path = "kprobe_profile", .scope = SettingScope::kTop, .read = read_profile},
};

} // namespace

ControlFiles probe_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
