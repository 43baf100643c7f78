// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that a single page holds, within a number of bytes: the longest calls of the recording,
// and for each its arguments, its result and the way it ended.

#pragma once

#include "show/view/api.h"

namespace nophook {

struct EmbeddedCall {
  uint32_t thread;
  uint16_t cpu; // CPU on which it began, or kUnknownCpu
  Slice slice;
};
constexpr uint16_t kUnknownCpu = UINT16_MAX;

struct EmbeddedCalls {
  std::vector<EmbeddedCall> calls; // by start, then by depth
  uint64_t left_out = 0;
  std::string notes = "{}";    // a JSON object by number of the call; without `<`
  uint64_t notes_left_out = 0; // number of calls whose arguments and results found no room
};

// The longest calls of a recording. `bytes`: the most that the page may take for them, columns in
// base64.
EmbeddedCalls embedded_calls(RecordingIndex &index, ViewNames &names, Tracks &tracks,
                             uint64_t bytes);

// A text for the inside of <script>, where `<` might end the element.
std::string script_text(std::string_view text);

} // namespace nophook
