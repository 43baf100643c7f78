// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording with the objects that answer questions about it, and the making of its index.

#pragma once

#include "show/view/api.h"
#include "show/view/index_builder.h"

namespace nophook {

struct Viewed {
  explicit Viewed(Recording opened)
      : recording(std::move(opened)), names(recording),
        index(recording, [this](uint32_t process, uint32_t id) { return names.key(process, id); }),
        api(index, names) {}

  // Opens a recording with its index, or starts to make the index.
  static Result<std::unique_ptr<Viewed>> open(const std::string &path);

  // Waits for the index, and shows the progress on a terminal.
  Result<> finish_index();

  // The error of writing the index, once it has been made. Does not wait.
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
