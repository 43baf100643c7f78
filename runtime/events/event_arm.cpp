// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arming probes, replacing filters, and giving back what callbacks may have been reading.

#include "events/text_events.h"

#include "base/lock.h"
#include "base/pause.h"
#include "ops/thread.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {
namespace {

// Replaced filters, which wait for a grace period.
constexpr uint32_t kMaxDiscarded = 64;
EventFilter *g_discarded[kMaxDiscarded];
uint32_t g_discarded_count = 0;
uint64_t g_tickets = 0;

constexpr char kSwitchedOff[] = "the event is being switched off";

void free_filter(EventFilter *filter) {
  filter->~EventFilter();
  unmap_pages(filter, sizeof(EventFilter));
}

Status make_filter(TextEvent *event, const char *text, uint64_t bytes, EventFilter **made,
                   ParseError *error) {
  *made = static_cast<EventFilter *>(map_pages(sizeof(EventFilter))); // 0s: an empty one
  if (!*made)
    return failure(ENOMEM, "no memory for a filter");
  *error = (*made)->parse(text, bytes, event_field, event);
  if (!*error)
    return {};
  free_filter(*made);
  return failure(EINVAL, error->reason);
}

Status arm(TextProbe *probe) {
  if (probe->probe.ops.flags & FTRACE_OPS_FL_ENABLED)
    return {};
  if (probe->probe.ops.flags & FTRACE_OPS_FL_REMOVING || probe->freer)
    return failure(EBUSY, kSwitchedOff);
  NOPHOOK_TRY(bind_probe(&probe->probe));
  probe->is_armed = true;
  return add_ops(&probe->probe.ops);
}

void disarm(TextProbe *probe) {
  if (!(probe->probe.ops.flags & FTRACE_OPS_FL_ENABLED))
    return;
  silence_probe(&probe->probe);
  cut_off_ops(&probe->probe.ops);
}

bool is_wanted(const TextEvent *event) {
  return event->enabled_in || event->triggers_in;
}

bool needs_main_buffer(const TextEvent *event) {
  return event_is_on(event, 0) || event_has_triggers(event, 0);
}

template <class Visit> void each_probe(Visit visit) {
  for (TextEvent *event = first_event(); event; event = event->next)
    for (TextProbe *probe = event->probes; probe; probe = probe->next)
      visit(event, probe);
}

// Forgets waiting threads in a fork child: they may be the parent's.
void forget_freers(bool is_whole) {
  if (is_whole)
    each_probe([](TextEvent *, TextProbe *probe) { probe->freer = 0; });
}

} // namespace

void arm_event(TextEvent *event, Status *status) {
  bool any = false;
  if (!at_fork_child(forget_freers)) {
    *status = failure(ENOMEM, "no memory for the handlers of fork");
    return;
  }
  each_probe([&](TextEvent *e, TextProbe *) { any = any || needs_main_buffer(e); });
  *status = keep_buffer_on(any);
  for (TextProbe *probe = event->probes; probe && status->ok(); probe = probe->next) {
    if (!is_wanted(event))
      disarm(probe);
    else
      *status = arm(probe);
  }
}

// An error of another instance is no reason to refuse ours.
Status switch_events(uint32_t instance, const char *group, const char *name, bool on) {
  for (;;) {
    free_removed_events();
    Status status;
    {
      RuntimeLock lock;
      status = enable_events(instance, group, name, on);
    }
    free_removed_events();
    if (status.ok() || status.reason != kSwitchedOff)
      return status;
    pause_briefly();
  }
}

Status set_event_filter(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                        ParseError *error) {
  auto &its = event->filters[instance];
  EventFilter *made = nullptr, *old = its.filter;
  bool is_none = !bytes || (bytes == 1 && *text == '0');
  if (bytes >= kMaxFilterText)
    return failure(EINVAL, "the filter is too long");
  if (!is_none)
    NOPHOOK_TRY(make_filter(event, text, bytes, &made, error));
  its.text = {};
  its.text.add(text, is_none ? 0 : bytes);
  __atomic_store_n(&its.filter, made, __ATOMIC_RELEASE);
  discard_filter(old);
  return {};
}

void discard_filter(EventFilter *filter) {
  if (!filter)
    return;
  // Without room in the list the filter is leaked: a callback may still use it.
  if (g_discarded_count < kMaxDiscarded)
    g_discarded[g_discarded_count++] = filter;
}

// Frees removed events. Other threads may be freeing, and more events may be removed, while the
// lock is free: each thread frees the events that it has seen before its wait.
void free_removed_events() {
  EventFilter *filters[kMaxDiscarded];
  uint32_t filter_count;
  uint64_t ticket;
  bool any;
  {
    RuntimeLock lock;
    ticket = ++g_tickets;
    filter_count = g_discarded_count;
    copy_bytes(filters, g_discarded, sizeof filters);
    g_discarded_count = 0;
    any = filter_count;
    each_probe([&](TextEvent *event, TextProbe *probe) {
      bool is_over =
          probe->is_armed && !is_wanted(event) && !(probe->probe.ops.flags & FTRACE_OPS_FL_ENABLED);
      if (is_over && !probe->freer)
        probe->freer = ticket, any = true;
    });
  }
  if (!any)
    return;
  bool is_waited = wait_for_callbacks().ok();
  RuntimeLock lock;
  while (filter_count && is_waited) // without a wait they stay
    free_filter(filters[--filter_count]);
  each_probe([&](TextEvent *, TextProbe *probe) {
    if (probe->freer != ticket)
      return;
    probe->freer = 0;
    if (!is_waited)
      return;
    if (probe->probe.ops.flags & FTRACE_OPS_FL_REMOVING)
      finish_removal(&probe->probe.ops);
    unbind_probe(&probe->probe);
    probe->is_armed = false;
  });
}

} // namespace nophook
