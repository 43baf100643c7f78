// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of a recording's chunks, so that it is opened without a look at each: the payload of a
// PARTS chunk.

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nophook {

struct RecordedStream {
  uint32_t process = 0; // RecordedProcess::index
  int32_t tid = 0;
  uint64_t events = 0;
  uint64_t lost = 0;
  uint64_t overwritten = 0; // by later events, as it was asked for
  struct Name {
    uint64_t ns;      // CLOCK_MONOTONIC when it was seen
    std::string name; // as header fields have it
  };
  std::vector<Name> names; // of the thread, by the time at which they were seen
  std::string name;        // the last one, or that of the program; it is shown
  struct Subbuf {
    uint64_t seq;
    uint64_t chunk; // offset of the chunk header in the file
  };
  std::vector<Subbuf> subbufs; // ascending seq
};

// An ENTRY that begins another stack of its thread; found by readers of events
// (read/steps/stack_borders.h).
struct StackBorder {
  uint64_t tsc = 0, frame = 0;
  auto operator<=>(const StackBorder &) const = default;
};

struct RecordingParts {
  std::vector<uint64_t> chunks; // offsets of all chunks but sub-buffers, PARTS and END, ascending
  std::map<uint32_t, RecordedStream> streams;
  bool is_packed = false;
};

std::vector<uint8_t> encode_parts(const RecordingParts &parts);
// Reads the list. Nothing: the bytes are damaged.
std::optional<RecordingParts> decode_parts(std::span<const uint8_t> bytes);

} // namespace nophook
