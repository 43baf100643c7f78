// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// set_ftrace_filter and set_ftrace_notrace of an array. The text of the first may have commands
// among its names (tracers/function_commands.h).

#include "base/bytes.h"
#include "base/memory.h"
#include "tracers/function_commands.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {

Status tracer_filter(trace_array &tr, TracerFilter which, Filter **filter) {
  ftrace_ops &ops = tr.probe.ops;
  NOPHOOK_TRY(initialise_ops(&ops, Role::kCallback));
  *filter = which == TracerFilter::kFilter ? &ops.state->filter : &ops.state->notrace;
  return {};
}

Status replace_tracer_filter(trace_array &tr, TracerFilter which, Filter *changed) {
  Filter *filter;
  NOPHOOK_TRY(tracer_filter(tr, which, &filter));
  filter->swap(*changed);
  Status status = refilter(&tr.probe.ops);
  if (!status.ok())
    filter->swap(*changed);
  return status;
}

namespace {

Status change_globs(trace_array &tr, TracerFilter which, const char *text, uint64_t bytes,
                    bool reset, const char *separators) {
  Filter *filter;
  NOPHOOK_TRY(tracer_filter(tr, which, &filter));
  Filter &changed = spare_filter();
  if (!reset)
    NOPHOOK_TRY(changed.copy(*filter));
  NOPHOOK_TRY(changed.change(text, bytes, reset, separators, Filter::Misses::kAllowed));
  return replace_tracer_filter(tr, which, &changed);
}

// Removes the tokens of `text` that are commands, and carries them out; the rest is shorter.
Status take_commands(trace_array &tr, char *text, uint64_t *bytes, const char *separators) {
  auto is_separator = [&](char c) {
    const char *s = separators;
    while (*s && *s != c)
      s++;
    return *s != 0;
  };
  uint64_t kept = 0;
  for (uint64_t at = 0, end; at < *bytes; at = end + 1) {
    for (end = at; end < *bytes && !is_separator(text[end]);)
      end++;
    bool is_command = false;
    if (end > at)
      NOPHOOK_TRY(change_function_commands(tr.number, text + at, end - at, Filter::Misses::kAllowed,
                                           &is_command));
    for (uint64_t i = at; i < end + (end < *bytes) && !is_command; i++)
      text[kept++] = text[i];
  }
  *bytes = kept;
  return {};
}

} // namespace

Status change_filter(trace_array &tr, TracerFilter which, const char *text, uint64_t bytes,
                     bool reset, const char *separators) {
  bool may_have_commands = false; // every command has a colon; without one, no memory is needed
  for (uint64_t i = 0; i < bytes && which == TracerFilter::kFilter; i++)
    may_have_commands |= text[i] == ':';
  if (may_have_commands) {
    auto *copy = static_cast<char *>(map_pages(bytes));
    if (!copy)
      return failure(ENOMEM, "no memory for a filter");
    copy_bytes(copy, text, bytes);
    uint64_t rest = bytes;
    Status status = take_commands(tr, copy, &rest, separators);
    if (status.ok())
      status = change_globs(tr, which, copy, rest, reset, separators);
    unmap_pages(copy, bytes);
    return status;
  }
  return change_globs(tr, which, text, bytes, reset, separators);
}

} // namespace nophook
