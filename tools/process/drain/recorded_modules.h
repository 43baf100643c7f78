// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of a process, which its runtime lists beside its buffer, are copied into the
// recording while the list grows.
//
// Only whole records are taken: the runtime may be writing the last one. All values are checked,
// since the program can write to the file.

#pragma once

#include "process/drain/drain_totals.h"
#include "process/drain/seen_callers.h"
#include "process/drain/shared_buffer.h"
#include "process/drain/words.h"
#include "read/recording/writer.h"

#include <set>
#include <span>
#include <string>

namespace nophook {

class RecordedModules {
public:
  // `process`: its number in the recording.
  RecordedModules(RecordingWriter &writer, DrainTotals &totals, uint32_t process)
      : writer_(writer), totals_(totals), index_(process) {}

  // Takes the records that have come since the last time.
  void read(SharedBuffer &buffer);

  // Adds the functions and the callers that were seen to the totals, in terms that hold across
  // processes.
  void count_functions(const SeenFunctions &seen, const SeenCallers &callers);

private:
  bool record();
  bool is_damaged() const;
  void list_code(const std::string &maps);
  void count_callers(const SeenCallers &callers);
  void write(std::span<const uint8_t> record);

  RecordingWriter &writer_;
  DrainTotals &totals_;
  uint32_t index_;
  bool lists_callers_ = false;
  std::string maps_; // whole records so far
  uint64_t recorded_ = 0;
  std::set<std::string> listed_; // modules without sites, as records
};

} // namespace nophook
