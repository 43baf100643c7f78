// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checksum of a chunk.

#include "read/recording/format.h"

#include <llvm/Support/xxhash.h>

namespace nophook {

uint64_t chunk_checksum(const ChunkHeader &header, std::span<const uint8_t> payload) {
  const auto *first = reinterpret_cast<const uint8_t *>(&header);
  return llvm::xxh3_64bits(llvm::ArrayRef(first, offsetof(ChunkHeader, checksum))) ^
         llvm::xxh3_64bits(llvm::ArrayRef(payload.data(), payload.size()));
}

} // namespace nophook
