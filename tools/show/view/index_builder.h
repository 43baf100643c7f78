// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a recording once and fills its index, on threads of its own.
//
// Each worker takes one stream after the other, so no worker waits for another. While a stream is
// read, its IndexedStream is locked for some thousand steps at a time: in between, it can be read.

#pragma once

#include "show/view/index.h"

#include <thread>

namespace nophook {

class IndexBuilder {
public:
  // Starts to fill the index. Its file is `path`, if it can be written there.
  static Result<std::unique_ptr<IndexBuilder>> start(RecordingIndex &index, const std::string &path,
                                                     unsigned workers);
  // Stops at once and leaves the index incomplete, unless wait() has returned.
  ~IndexBuilder();

  bool is_done() const { return workers_ == 0; } // the index is complete, or it failed

  // Returns once the index is complete. Error: it could not be written.
  Result<> wait();

private:
  explicit IndexBuilder(RecordingIndex &index) : index_(index) {}
  void work();
  void read_stream(IndexedStream &stream);

  RecordingIndex &index_;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> left_{0};
  std::atomic<unsigned> workers_{0};
  std::atomic<bool> stop_{false};
  std::mutex saved_lock_;
  Result<> saved_;
  std::vector<std::thread> threads_;
};

} // namespace nophook
