// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recording that a new one replaces. A slip in a command line must not cost the recording of an
// hour, so it is kept as PATH.old. If the new recording is not made, both files are as before.

#pragma once

#include "foundation/output_place.h"

#include <optional>
#include <string>
#include <utility>

namespace nophook {

class OldRecording {
public:
  // Moves a file that is not empty out of the way. Devices and pipes stay. Errors: it cannot be
  // moved.
  static Result<OldRecording> keep(const std::string &path);

  OldRecording(OldRecording &&other) noexcept
      : place_(std::exchange(other.place_, std::nullopt)), kept_(std::move(other.kept_)) {}
  OldRecording &operator=(OldRecording &&) = delete;
  ~OldRecording(); // puts it back, unless it is replaced

  // The new recording has begun: the old one stays as PATH.old.
  void is_replaced();

private:
  OldRecording() = default;

  std::optional<OutputPlace> place_; // its place; none: there is nothing to put back
  std::string kept_;                 // its name in the meantime; empty: there was no file
};

} // namespace nophook
