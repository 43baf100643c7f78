// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a function that has a probe: its arguments are fetched into a record, on the program's
// stack as the program's own marks are (less than 1 KiB), the filter judges that, and the buffer
// gets it. Triggers judge it, too, and run: most of them when it has left the stack.

#include "base/leb.h"
#include "base/own_name.h"
#include "base/syscall.h"
#include "events/event_pids.h"
#include "events/text_events.h"
#include "ops/thread.h"
#include "tracers/trace_array.h"

#include <nophook/kernel_events.h>

namespace nophook {
namespace {

constexpr uint32_t kMaxFaults = 16; // the most faults of a record; further ones are recorded as 0

class Event {
public:
  explicit Event(TextProbe *probe) : probe_(probe), event_(probe->event) {
    for (uint8_t byte : probe->prefix)
      *end_++ = byte;
    record_ = end_ + 2; // behind the two bytes of its length
  }

  void fill(uint64_t ip, uint64_t ret_ip, const ftrace_regs *regs, const uint64_t *at_entry) {
    const ProbeText &text = probe_->text;
    KernelCommon common = {event_->id, 0, 0, this_thread()->tid};
    if (text.is_return) {
      KernelReturnProbe head = {common, ip, ret_ip};
      copy_bytes(record_, &head, sizeof head);
    } else {
      KernelProbe head = {common, ip};
      copy_bytes(record_, &head, sizeof head);
    }
    RecordRoom room = {record_, text.record_bytes, kMaxRoomBytes};
    for (uint64_t i = 0; i < text.arguments.size(); i++) {
      const FetchArgument &argument = text.arguments[i];
      uint64_t first = argument.is_at_entry && at_entry ? at_entry[argument.entry_index]
                                                        : fetch_first(argument, regs);
      if (!fetch_rest(argument, first, &room) && fault_count_ < kMaxFaults)
        faults_[fault_count_++] = (uint8_t)i;
    }
    bytes_ = room.used;
  }

  const uint8_t *record() const { return record_; }
  uint32_t bytes() const { return bytes_; }
  bool passes(const EventFilter *filter) const { return event_passes(filter, record_, bytes_); }

  void write(Buffer &buffer) {
    end_[0] = (uint8_t)(bytes_ | 0x80);
    end_[1] = (uint8_t)(bytes_ >> 7);
    uint8_t *at = put_uleb(record_ + bytes_, fault_count_);
    for (uint32_t i = 0; i < fault_count_; i++)
      at = put_uleb(at, faults_[i]);
    uint64_t signature = (uint64_t)NOPHOOK_CONTROL_MARK << NOPHOOK_ID_SHIFT;
    write_event(buffer, {NOPHOOK_EVENT_CONTROL, signature, 0, 0, text_, (uint32_t)(at - text_)});
  }

private:
  TextProbe *probe_;
  TextEvent *event_;
  uint8_t text_[kMaxPrefixBytes + 2 + kMaxRoomBytes + 2 + 2 * kMaxFaults];
  uint8_t *end_ = text_; // end of the prefix
  uint8_t *record_;
  uint32_t bytes_ = 0; // size of the record
  uint8_t faults_[kMaxFaults];
  uint32_t fault_count_ = 0;
};

// Returns the triggers that are still to run, one bit each.
__attribute__((noinline)) uint32_t record(TextProbe *probe, uint64_t ip, uint64_t ret_ip,
                                          const ftrace_regs *regs, const uint64_t *at_entry) {
  TextEvent *event = probe->event;
  Event made(probe);
  made.fill(ip, ret_ip, regs, at_entry);
  // A trigger may enable the event for an instance at the moment when that goes.
  const uint32_t allowed = event_pids_allow() & arrays_there();
  uint32_t enabled = __atomic_load_n(&event->enabled_in, __ATOMIC_ACQUIRE) & allowed;
  for (uint32_t number = 0; enabled; number++, enabled >>= 1)
    if (enabled & 1 &&
        made.passes(__atomic_load_n(&event->filters[number].filter, __ATOMIC_ACQUIRE)))
      made.write(buffer_of(number));
  if (!(__atomic_load_n(&event->triggers_in, __ATOMIC_ACQUIRE) & allowed))
    return 0;
  return judge_triggers(event, allowed, {ip, regs, made.record(), made.bytes()});
}

void run(TextProbe *probe, uint64_t ip, uint64_t ret_ip, const ftrace_regs *regs,
         const uint64_t *at_entry) {
  __atomic_fetch_add(&probe->hits, 1, __ATOMIC_RELAXED);
  if (uint32_t fired = record(probe, ip, ret_ip, regs, at_entry))
    run_triggers(probe->event, fired, {ip, regs, nullptr, 0});
}

} // namespace

bool event_passes(const EventFilter *filter, const uint8_t *record, uint32_t bytes) {
  if (!filter)
    return true;
  char comm[17] = {};
  if (filter->wants_comm())
    read_own_name(comm);
  return filter->matches(record, bytes, comm);
}

int text_probe_entry(fprobe *fprobe, unsigned long ip, unsigned long, ftrace_regs *regs,
                     void *data) {
  auto *probe = reinterpret_cast<TextProbe *>(fprobe);
  if (!probe->text.is_return) {
    run(probe, ip, 0, regs, nullptr);
    return 0;
  }
  auto *kept = static_cast<uint64_t *>(data);
  for (const FetchArgument &argument : probe->text.arguments)
    if (argument.is_at_entry && kept)
      kept[argument.entry_index] = fetch_first(argument, regs);
  return 0;
}

void text_probe_exit(fprobe *fprobe, unsigned long ip, unsigned long ret_ip, ftrace_regs *regs,
                     void *data) {
  run(reinterpret_cast<TextProbe *>(fprobe), ip, ret_ip, regs, static_cast<uint64_t *>(data));
}

} // namespace nophook
