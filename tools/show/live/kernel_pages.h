// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps in the form of the kernel's ring buffer, page by page of each CPU
// (nophook/kernel_events.h): for trace-cmd and other readers of the kernel's binary events.
//
// The kernel has an entry where a call begins and an exit where it ends, in the order of time of
// its CPU. A leaf is both, and another thread may have run there in between: an exit is
// held back until nothing that is earlier can come.

#pragma once

#include "read/steps/merge.h"
#include "show/live/kernel_symbols.h"

#include <nophook/kernel_events.h>

#include <deque>
#include <map>
#include <string>

namespace nophook {

constexpr uint32_t kKernelPageBytes = 4096; // the first value of buffer_subbuf_size_kb

class KernelPages {
public:
  // `symbols`: for events of several processes. Null: addresses are those of the only process, and
  // its events made by text are events of their own, with that process's formats.
  explicit KernelPages(uint32_t page_bytes = kKernelPageBytes, KernelSymbols *symbols = nullptr)
      : page_bytes_(page_bytes), symbols_(symbols) {}

  // Adds a step. Returns its CPU.
  uint32_t add(Functions &functions, const TscClock &clock, const Thread &thread, const Step &step);

  // Writes the exits that were held back: no earlier event comes.
  void flush();

  // Takes the next whole page of a CPU; or, if there is none and `partial`, the page that is being
  // filled, padded by 0s. Empty: nothing.
  std::string take(uint32_t cpu, bool partial);

  // Bytes that wait in whole pages.
  uint64_t waiting(uint32_t cpu) const;

  // If a reader is too slow, the oldest page of a CPU is dropped, and its events are counted as
  // lost.
  void drop_page(uint32_t cpu);

  // Drops all events.
  void clear() { cpus_.clear(); }

  // The number of CPUs: one past the highest that has pages.
  uint32_t cpus() const { return cpus_.empty() ? 0 : cpus_.rbegin()->first + 1; }

private:
  struct Page {
    std::string bytes;
    uint64_t missed = 0; // number of missing events in front of it
  };
  struct Cpu {
    std::deque<Page> full;
    Page page;                          // the page that is being filled; empty: none
    uint64_t time_ns = 0;               // time of the last event
    uint64_t missed = 0;                // number of missing events before the next page
    std::vector<KernelGraphExit> exits; // exits that are held back, the earliest last
  };

  void put(Cpu &cpu, uint64_t ns, std::string_view record);
  void put_exits(Cpu &cpu, uint64_t until_ns);
  void put_in_order(Cpu &cpu, uint64_t ns, std::string_view record);
  void end_page(Cpu &cpu);

  // The address of a function for the pages.
  uint64_t function_address(Functions &functions, const Thread &thread, uint32_t id) const;
  uint64_t caller_address(const Thread &thread, uint64_t return_address) const;
  KernelGraphEntry entry_record(Functions &functions, const Thread &thread, const Step &step) const;
  KernelGraphExit exit_record(Functions &functions, const TscClock &clock, const Thread &thread,
                              const Step &step, uint64_t end_tsc) const;
  std::string mark_record(Functions &functions, const TscClock &clock, const Thread &thread,
                          const Step &step) const;

  const uint32_t page_bytes_;
  KernelSymbols *const symbols_;
  std::map<uint32_t, Cpu> cpus_;
};

} // namespace nophook
