// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that no recorder has emptied: the program was traced without a recorder, or its recorder
// was killed. They are read up to the last completed event, and stay unchanged.

#pragma once

#include "foundation/identity.h"
#include "process/drain/core_file.h"
#include "process/drain/record_names.h"
#include "read/recording/writer.h"

#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace nophook {

struct FoundBuffer {
  std::string path;           // path of the .buf file
  struct stat file = {};      // identity of the file when it was found
  int32_t pid = 0;            // number of the process that made it, in its PID namespace
  int32_t pid_here = 0;       // its number in our namespace; 0: not known, or it is gone
  Life life = Life::kUnknown; // whether that process lives
  std::string comm, exe, tracer;
  uint32_t tracer_form = 0;  // NOPHOOK_FORM_
  uint64_t start_ns = 0;     // CLOCK_MONOTONIC
  std::string instance;      // instance that it belongs to; empty: the process's main tracer
  uint32_t snapshot = 0;     // number of the copy, from 1 on; 0: the buffer itself
  uint64_t bytes = 0;        // size of its files, in memory or on disk
  std::string lost_children; // lost_children_text()
  std::shared_ptr<const TemporaryFolder> folder; // folder of its copy, if it was in a core file

  // Whether it was made by the process that has this number here.
  bool is_of(int32_t number) const { return (pid_here ? pid_here : pid) == number; }
};

// Whether the file is the .buf file of a buffer.
bool is_buffer(const std::string &path);

// All buffers in `folders`, in the order of their start. Other files are passed over.
std::vector<FoundBuffer> find_buffers(const std::vector<std::string> &folders);

// The buffers that `what` names: a .buf file, a folder, a core file, or a process by its number.
// Snapshots, whose events are also in another buffer, and instances, which are traces of their own,
// are only found by their own names, or with `kAll`. Errors: there is none.
enum class BufferKinds { kMain, kAll };
Result<std::vector<FoundBuffer>> choose_buffers(const std::string &what,
                                                BufferKinds kinds = BufferKinds::kMain);

// Writes the events of the buffers as one recording and ends it. Returns the number of events.
Result<uint64_t> recover(const std::vector<FoundBuffer> &buffers, RecordingWriter &writer,
                         std::optional<KeepNames> names = std::nullopt);

// Whether a running recorder reads it, or is about to.
bool has_recorder(const FoundBuffer &buffer);

// Deletes its files. Returns the error, if any.
std::optional<Error> remove_buffer(const FoundBuffer &buffer);

} // namespace nophook
