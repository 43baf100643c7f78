// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out the kernel's pages, CPU by CPU.

#include "show/live/kernel_pages.h"

#include "foundation/overloaded.h"
#include "read/steps/marks.h"
#include "show/print/trace_context.h"

#include <nophook/kernel_events.h>

#include <algorithm>
#include <cstring>

namespace nophook {

namespace {

// The largest record: it fits into the smallest page.
constexpr uint32_t kMostRecord = kKernelPageBytes - sizeof(KernelPage) - 24;
constexpr uint32_t kMostCpus = 8192; // Linux's limit; a damaged recording may have any number
constexpr uint64_t kDeltaEnd = uint64_t{1} << kKernelDeltaBits;
constexpr uint64_t kExtensionEnd = kDeltaEnd << 32;

template <class T> std::string_view bytes_of(const T &record) {
  return {reinterpret_cast<const char *>(&record), sizeof record};
}

void append_word(std::string *bytes, uint32_t word) {
  bytes->append(reinterpret_cast<const char *>(&word), sizeof word);
}

// Inserts an exit behind those that end later, and behind earlier ones of the same time. There are
// few exits: mostly one.
void hold_back(std::vector<KernelGraphExit> *exits, const KernelGraphExit &exit) {
  auto at = exits->end();
  while (at != exits->begin() && at[-1].rettime <= exit.rettime)
    --at;
  exits->insert(at, exit);
}

KernelCommon common(KernelEventId id, const Thread &thread) {
  return {id, 0, 0, thread.tid()};
}

std::string print_record(const Thread &thread, uint64_t ip, const std::string &text) {
  std::string record(bytes_of(KernelPrint{common(kKernelPrint, thread), ip}));
  record += text + "\n";
  record += '\0';
  return record;
}

} // namespace

uint64_t KernelPages::function_address(Functions &functions, const Thread &thread,
                                       uint32_t id) const {
  return symbols_ ? symbols_->of_function(thread.process(), id)
                  : functions.address(thread.process(), id);
}

uint64_t KernelPages::caller_address(const Thread &thread, uint64_t return_address) const {
  return symbols_ ? symbols_->of_caller(thread.process(), return_address) : return_address;
}

KernelGraphEntry KernelPages::entry_record(Functions &functions, const Thread &thread,
                                           const Step &step) const {
  return {common(kKernelGraphEntry, thread), function_address(functions, thread, step.id),
          step.depth, 0};
}

KernelGraphExit KernelPages::exit_record(Functions &functions, const TscClock &clock,
                                         const Thread &thread, const Step &step,
                                         uint64_t end_tsc) const {
  uint64_t end = clock.at(end_tsc);
  return {common(kKernelGraphExit, thread),
          function_address(functions, thread, step.id),
          step.depth,
          0,
          end - clock.duration(step.ticks),
          end};
}

std::string KernelPages::mark_record(Functions &functions, const TscClock &clock,
                                     const Thread &thread, const Step &step) const {
  const Mark mark = read_mark(step);
  std::string record = std::visit(
      Overloaded{
          [&](const StackMark &stack) {
            std::string record(bytes_of(
                KernelStack{common(kKernelStack, thread), (uint32_t)stack.addresses.size(), 0}));
            for (uint64_t address : stack.addresses) {
              uint64_t place = caller_address(thread, address);
              record += bytes_of(place);
            }
            return record;
          },
          [&](const RepeatsMark &repeats) {
            uint64_t ns = clock.duration(repeats.ticks);
            return std::string(bytes_of(KernelFuncRepeats{
                common(kKernelFuncRepeats, thread), function_address(functions, thread, repeats.id),
                caller_address(thread, repeats.parent),
                (uint16_t)std::min<uint64_t>(repeats.count, UINT16_MAX), (uint16_t)(ns >> 32),
                (uint32_t)ns}));
          },
          [&](const ProbeEvent &event) {
            return symbols_ ? print_record(thread, kMarkWriterAddress,
                                           located_event_text(functions, thread.process(), event))
                            : std::string(event.record.begin(), event.record.end());
          },
          [&](const RawMark &raw) {
            std::string record(
                bytes_of(KernelRawData{common(kKernelRawData, thread), (uint32_t)raw.number}));
            record.append(raw.data.begin(), raw.data.end());
            return record;
          },
          [&](const TextMark &text) {
            return print_record(
                thread, text.ip ? caller_address(thread, text.ip) : kMarkWriterAddress, text.text);
          },
          [&](const OtherMark &) {
            return print_record(thread, kMarkWriterAddress, mark_text(mark));
          }},
      mark);
  // More than a page holds is cut, as the kernel does.
  record.resize(std::min<size_t>(record.size(), kMostRecord));
  return record;
}

void KernelPages::end_page(Cpu &cpu) {
  if (cpu.page.bytes.empty())
    return;
  auto *head = reinterpret_cast<KernelPage *>(cpu.page.bytes.data());
  head->commit = cpu.page.bytes.size() - sizeof(KernelPage);
  if (cpu.page.missed) {
    head->commit |= KernelPage::kMissed | KernelPage::kMissedStored;
    cpu.page.bytes += bytes_of(cpu.page.missed);
  }
  cpu.page.bytes.resize(page_bytes_);
  cpu.full.push_back(std::exchange(cpu.page, {}));
}

void KernelPages::put(Cpu &cpu, uint64_t ns, std::string_view record) {
  ns = std::max(ns, cpu.time_ns);
  uint32_t data = (uint32_t)(record.size() + 3) / 4 * 4;
  // The most bytes in front of a record: a time extension, an event's word and its length; and the
  // number of missed events.
  constexpr uint32_t kMostHead = 16 + sizeof(Page::missed);
  if (cpu.page.bytes.size() + data + kMostHead > page_bytes_ || ns - cpu.time_ns >= kExtensionEnd)
    end_page(cpu);
  if (cpu.page.bytes.empty()) {
    cpu.page.bytes = bytes_of(KernelPage{ns, 0});
    cpu.page.missed = std::exchange(cpu.missed, 0);
    cpu.time_ns = ns;
  }
  uint64_t delta = ns - cpu.time_ns;
  if (delta >= kDeltaEnd) {
    append_word(&cpu.page.bytes, (uint32_t)(delta & (kDeltaEnd - 1)) << 5 | kKernelTimeExtend);
    append_word(&cpu.page.bytes, (uint32_t)(delta >> kKernelDeltaBits));
    delta = 0;
  }
  bool is_long = data > 4 * kKernelMaxTypeLen;
  append_word(&cpu.page.bytes, (uint32_t)delta << 5 | (is_long ? 0 : data / 4));
  if (is_long)
    append_word(&cpu.page.bytes, data + 4);
  cpu.page.bytes.append(record);
  cpu.page.bytes.append(data - record.size(), '\0');
  cpu.time_ns = ns;
}

void KernelPages::put_exits(Cpu &cpu, uint64_t until_ns) {
  for (; !cpu.exits.empty() && cpu.exits.back().rettime <= until_ns; cpu.exits.pop_back())
    put(cpu, cpu.exits.back().rettime, bytes_of(cpu.exits.back()));
}

void KernelPages::put_in_order(Cpu &cpu, uint64_t ns, std::string_view record) {
  put_exits(cpu, ns);
  put(cpu, ns, record);
}

uint32_t KernelPages::add(Functions &functions, const TscClock &clock, const Thread &thread,
                          const Step &step) {
  uint32_t number = step.cpu < kMostCpus ? step.cpu : 0; // an unknown CPU counts as 0
  Cpu &cpu = cpus_[number];
  uint64_t ns = clock.at(step.tsc);
  if (step.kind == Step::kLost) {
    put_exits(cpu, ns);
    end_page(cpu);
    cpu.missed += step.lost;
  } else if (step.kind == Step::kFunction) {
    put_in_order(cpu, ns,
                 bytes_of(KernelFunction{common(kKernelFunction, thread),
                                         function_address(functions, thread, step.id),
                                         caller_address(thread, step.parent)}));
  } else if (step.is_mark()) {
    put_in_order(cpu, ns, mark_record(functions, clock, thread, step));
  } else if (step.begins() && !step.is_timed()) {
    put_in_order(cpu, ns, bytes_of(entry_record(functions, thread, step)));
    if (step.is_leaf())
      hold_back(&cpu.exits, exit_record(functions, clock, thread, step, step.to()));
  } else {
    put_in_order(cpu, ns, bytes_of(exit_record(functions, clock, thread, step, step.tsc)));
  }
  return number;
}

void KernelPages::flush() {
  for (auto &[number, cpu] : cpus_)
    put_exits(cpu, UINT64_MAX);
}

std::string KernelPages::take(uint32_t number, bool partial) {
  auto found = cpus_.find(number);
  if (found == cpus_.end())
    return "";
  Cpu &cpu = found->second;
  if (cpu.full.empty() && partial)
    end_page(cpu);
  if (cpu.full.empty())
    return "";
  std::string page = std::move(cpu.full.front().bytes);
  cpu.full.pop_front();
  return page;
}

uint64_t KernelPages::waiting(uint32_t number) const {
  auto found = cpus_.find(number);
  return found == cpus_.end() ? 0 : found->second.full.size() * page_bytes_;
}

void KernelPages::drop_page(uint32_t number) {
  Cpu &cpu = cpus_[number];
  if (cpu.full.empty())
    return;
  cpu.full.pop_front();
  if (!cpu.full.empty())
    reinterpret_cast<KernelPage *>(cpu.full.front().bytes.data())->commit |= KernelPage::kMissed;
}

} // namespace nophook
