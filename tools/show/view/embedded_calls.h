// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that a single page holds, within a number of bytes: the longest ones of the recording,
// and what the recording has of each besides its times (its arguments, its result, how it ended).

#pragma once

#include "show/view/api.h"

namespace nophook {

struct EmbeddedCall {
  uint32_t thread;
  uint16_t cpu; // where it began; kUnknownCpu: not known
  Slice slice;
};
constexpr uint16_t kUnknownCpu = UINT16_MAX;

struct EmbeddedCalls {
  std::vector<EmbeddedCall> calls; // by start, then by depth
  uint64_t left_out = 0;
  std::string notes = "{}";    // a JSON object by the number of the call; without `<`
  uint64_t notes_left_out = 0; // calls that have arguments or a result, but found no room for them
};

// `bytes`: as the page writes them, columns in base64.
EmbeddedCalls embedded_calls(RecordingIndex &index, ViewNames &names, Tracks &tracks,
                             uint64_t bytes);

// A text within <script>, where `<` might end it.
std::string script_text(std::string_view text);

} // namespace nophook
