// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes trace.dat, the file of trace-cmd and KernelShark: version 6, trace-cmd.dat.v6(5), which
// every release of them reads.
//
// The file has what it says of the events in front of them, and a CPU's events in one piece; both
// are known when the last event has been. So pages wait in a file without a name, beside the one
// that is asked for: there is as much room as it needs.

#pragma once

#include "base/file.h"

#include <map>
#include <string>
#include <vector>

namespace nophook {

class TraceDat {
public:
  static Result<TraceDat> create(const std::string &path);

  // The next page of a CPU (live/kernel_pages.h).
  void add_page(uint32_t cpu, const std::string &page);

  struct About {
    uint32_t cpus = 1;   // or more, if there are pages of more
    std::string symbols; // as /proc/kallsyms
    std::string threads; // lines of `TID NAME`
    std::string clock;   // as trace_clock calls it
  };
  // Writes the file. Errors: those of all writes so far, too.
  Result<> finish(const About &about);

private:
  void copy_page(uint64_t offset);
  void write(FileDescriptor &file, const std::string &bytes);

  std::string path_;
  FileDescriptor file_, pages_;
  uint64_t page_count_ = 0;
  std::map<uint32_t, std::vector<uint64_t>> by_cpu_; // offsets in pages_
  int error_ = 0;                                    // errno of the first write that failed
};

} // namespace nophook
