// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// events/: what a client that knows the kernel's ring buffer must know of ours. The events of the
// tracers, in events/ftrace, cannot be switched on one by one: the tracer does that.

#include "base/lock.h"
#include "tracefs/control_file.h"
#include "tracefs/reader_settings.h"

#include <nophook/kernel_events.h>

namespace nophook {
namespace {

auto adder(ControlText &text) {
  struct Adder {
    ControlText *text;
    void operator()(const char *part) const { text->add(part); }
    void operator()(uint64_t number) const { text->number(number); }
  };
  return Adder{&text};
}

Status read_header_page(ControlText &text) {
  RuntimeLock lock;
  kernel_page_text(uint64_t{g_reader_settings.page_kib} << 10, adder(text));
  return {};
}

Status read_header_event(ControlText &text) {
  text.add(kKernelEntryText);
  return {};
}

Status read_format(uint64_t which, ControlText &text) {
  kernel_format_text(kKernelEvents[which], adder(text));
  return {};
}

Status read_id(uint64_t which, ControlText &text) {
  text.number(kKernelEvents[which].id).add("\n");
  return {};
}

const ControlFile kFiles[] = {
    {.path = "events/header_event", .read = read_header_event},
    {.path = "events/header_page", .read = read_header_page},
};

} // namespace

ControlFiles event_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

void visit_event_formats(VisitFile visit, void *context) {
  uint64_t which = 0;
  for (const KernelEvent &event : kKernelEvents) {
    Text<96> format, id;
    format.add("events/ftrace/").add(event.name).add("/format");
    id.add("events/ftrace/").add(event.name).add("/id");
    visit(context, {.path = format.c_str(), .which = which, .read_of = read_format});
    visit(context, {.path = id.c_str(), .which = which, .read_of = read_id});
    which++;
  }
}

} // namespace nophook
