// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording with all that answers questions about it, and the making of its index.

#pragma once

#include "show/view/api.h"
#include "show/view/index_builder.h"

namespace nophook {

struct Viewed {
  explicit Viewed(Recording opened)
      : recording(std::move(opened)), names(recording),
        index(recording, [this](uint32_t process, uint32_t id) { return names.key(process, id); }),
        api(index, names) {}

  // With its index, or with one that is being made.
  static Result<std::unique_ptr<Viewed>> open(const std::string &path);

  // Waits for the index, and shows on a terminal how much of the recording has been read.
  Result<> finish_index();

  // The same without waiting: nothing happens while the index is being made.
  Result<> saved();

  Recording recording;
  ViewNames names;
  RecordingIndex index;
  ViewApi api;
  std::unique_ptr<IndexBuilder> builder; // null: there is nothing left to do
};

class IndexProgress {
public:
  explicit IndexProgress(const RecordingIndex &index) : index_(index) {}
  void show();
  void end();

private:
  const RecordingIndex &index_;
  bool shown_ = false;
};

} // namespace nophook
