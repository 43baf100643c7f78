// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a recording that only one command has: a child with its signals, an attached process,
// a controller that adds and removes sites while the program runs. The recorder's loop (recorder.h)
// calls it.

#pragma once

#include <chrono>

namespace nophook {

class RecorderHook {
public:
  virtual ~RecorderHook() = default;

  // When this becomes readable, the loop wakes up and calls take_hint(). -1: none.
  virtual int descriptor() const { return -1; }
  virtual void take_hint() {}

  // Called in each round: up to 5,000 times a second.
  virtual void step() {}
  // Called 50 times a second, after the buffers have been looked at.
  virtual void look() {}
  // The longest time until the next round.
  virtual std::chrono::nanoseconds most_pause() const { return std::chrono::hours(1); }

  // During the end report: whether a signal asks for the command's end.
  virtual bool wants_end() { return false; }
};

} // namespace nophook
