// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points between which `nophook latency` measures: the entry or the return of a function, or a
// mark that the program has written.
//
// Names have the meaning of other verbs, and a match needs a look at every function of the
// recording. So each worker caches the result for functions that it has met.

#pragma once

#include "read/steps/timeline.h"
#include "read/symbols/functions.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace nophook {

// A point: FUNCTION, FUNCTION%return, or mark:TEXT; names and text may be globs.
class Point {
public:
  explicit Point(std::string text) : glob_(std::move(text)) {
    constexpr std::string_view kMark = "mark:", kReturn = "%return";
    is_mark_ = glob_.starts_with(kMark);
    is_return_ = glob_.ends_with(kReturn);
    if (is_mark_)
      glob_.erase(0, kMark.size());
    if (is_return_)
      glob_.erase(glob_.size() - kReturn.size());
  }

  bool is_mark() const { return is_mark_; }
  bool is_return() const { return is_return_; }
  const std::string &glob() const { return glob_; }

private:
  std::string glob_;
  bool is_mark_ = false;
  bool is_return_ = false;
};

// A point with the functions that it means, as far as a worker has met them.
class KnownPoint {
public:
  KnownPoint(const Point &point, Functions &functions) : point_(point), functions_(functions) {}

  bool names(uint32_t process, uint32_t id) {
    if (last_ && last_process_ == process && id < last_->size() && (*last_)[id] != kUnknown)
      return (*last_)[id] == kNamed;
    return find(process, id);
  }

  // Whether the step is at the point. `returns`: the end of a leaf is meant, which is entry and
  // return.
  bool is_at(const Step &step, uint32_t process, bool returns);

private:
  const Point &point_;
  Functions &functions_;
  bool find(uint32_t process, uint32_t id);

  enum Known : uint8_t { kUnknown, kOther, kNamed };
  std::unordered_map<uint32_t, std::vector<Known>> known_; // results by process, then by id
  std::vector<Known> *last_ = nullptr;                     // results of the last process
  uint32_t last_process_ = 0;
};

} // namespace nophook
