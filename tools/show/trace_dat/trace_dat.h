// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes trace.dat, the file of trace-cmd and KernelShark.
//
// The file has what it says of the events in front of them, and a CPU's events in one piece; both
// are known when the last event has been. So events wait in a file without a name, beside the one
// that is asked for: there is as much room as it needs.
//
// The kernel's form of a call is 36 bytes an event, 4.5 times what the recording has. Version 7,
// trace-cmd.dat.v7(5), has them in chunks that zstd has compressed, here to half of the recording;
// trace-cmd 3.0 and everything behind it reads it. Version 6 is for what is older, and as large as
// it is: every release reads it.

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

  // The next page of a CPU (show/live/kernel_pages.h).
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
  struct Piece { // of the spool
    uint64_t offset, bytes;
  };
  struct Cpu {
    std::string pages; // that are no piece yet
    std::vector<Piece> pieces;
    uint64_t bytes = 0; // of all pieces
  };
  struct Compressor;

  TraceDat();
  void end_piece(Cpu &cpu);
  std::string compressed(std::string_view bytes); // with its sizes in front
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
