// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-buffers compressed by zstd, each by itself: a recording that is cut is readable up to there,
// a damaged one costs one chunk, and memory does not grow with the recording. 64 KiB are enough:
// functions and places on the stack repeat within microseconds.

#pragma once

#include "read/recording/format.h"

#include <memory>
#include <vector>

namespace nophook {

class Packer {
public:
  Packer();
  ~Packer();

  // The payload of a PACKED chunk, valid until the next call; empty if it would not be smaller.
  std::span<const uint8_t> pack(const nophook_subbuf *subbuf, uint32_t bytes);

private:
  struct Context;
  std::unique_ptr<Context> context_;
  std::vector<uint8_t> payload_;
};

// Unpacks the words; null if they are damaged. `*count`: their number.
std::shared_ptr<const uint64_t[]> unpack(std::span<const uint8_t> payload, size_t *count);

// Packs names into the payload of a NAMES chunk; empty if it would be larger than a chunk may be.
std::vector<uint8_t> pack_names(std::span<const uint8_t> bytes);

// Unpacks the bytes of names; empty if they are damaged.
std::vector<uint8_t> unpack_names(std::span<const uint8_t> payload);

} // namespace nophook
