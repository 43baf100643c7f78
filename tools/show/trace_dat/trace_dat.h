// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes trace.dat, the file of trace-cmd and KernelShark.
//
// The file has the descriptions of events in front of them, and a CPU's events in one piece; both
// are known after the last event only. So events wait in a file without a name, beside the
// requested one: there is as much room as it needs.
//
// The kernel's form of a call is 36 bytes an event, 4.5 times what the recording has. Version 7,
// trace-cmd.dat.v7(5), has them in chunks that zstd has compressed, here to half of the recording;
// trace-cmd 3.0 and everything behind it reads it. Version 6 is for older readers, and not
// compressed: every release reads it.

#pragma once

#include "foundation/file.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace nophook {

class TraceDat {
public:
  static Result<TraceDat> create(const std::string &path, int recording, bool compressed);
  TraceDat(TraceDat &&) noexcept;
  ~TraceDat();

  // Adds the next page of a CPU (show/live/kernel_pages.h).
  void add_page(uint32_t cpu, const std::string &page);

  struct About {
    uint32_t cpus = 1;   // number of CPUs, or less than that of the pages
    std::string symbols; // symbols as in /proc/kallsyms
    std::string threads; // lines of `TID NAME`
    std::string clock;   // name of the clock, as in trace_clock
  };
  // Writes the file. Errors include those of all earlier writes.
  Result<> finish(const About &about);

private:
  struct Piece { // a piece of the spool
    uint64_t offset, bytes;
  };
  struct Cpu {
    std::string pages; // pages that are no piece yet
    std::vector<Piece> pieces;
    uint64_t bytes = 0; // size of all pieces
  };
  struct Compressor;

  TraceDat();
  void end_piece(Cpu &cpu);
  std::string compressed(std::string_view bytes); // the sizes, then the chunk
  std::string section(uint16_t id, const std::string &content);
  Result<> finish_6(const About &about, uint32_t cpus);
  Result<> finish_7(const About &about, uint32_t cpus);
  void copy_pieces(const Cpu &cpu);
  Result<> close();
  void write(FileDescriptor &file, std::string_view bytes);

  std::string path_;
  FileDescriptor file_, spool_;
  uint64_t spooled_ = 0;
  std::map<uint32_t, Cpu> by_cpu_;
  std::unique_ptr<Compressor> compressor_; // null: version 6
  int error_ = 0;                          // errno of the first write that failed
};

} // namespace nophook
