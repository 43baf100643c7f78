// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs and unpacks single frames of zstd.

#include "read/recording/packed.h"

#include <cstring>
#include <zstd.h>

namespace nophook {

namespace {

// The fastest level that compresses repeats: the recorder must keep up with the program.
constexpr int kLevel = 1;
constexpr size_t kHeadBytes = sizeof(nophook_subbuf) + sizeof(PackedHeader);

} // namespace

struct Packer::Context {
  Context() : zstd(ZSTD_createCCtx()) {}
  ~Context() { ZSTD_freeCCtx(zstd); }
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  ZSTD_CCtx *zstd;
};

Packer::Packer() : context_(std::make_unique<Context>()) {}
Packer::~Packer() = default;

std::span<const uint8_t> Packer::pack(const nophook_subbuf *subbuf, uint32_t bytes) {
  auto words = (uint32_t)(bytes - sizeof *subbuf);
  payload_.resize(kHeadBytes + ZSTD_compressBound(words) + 8);
  size_t frame = ZSTD_compressCCtx(context_->zstd, payload_.data() + kHeadBytes,
                                   payload_.size() - kHeadBytes, subbuf + 1, words, kLevel);
  if (ZSTD_isError(frame) || kHeadBytes + frame + 8 > bytes)
    return {};
  PackedHeader header = {(uint32_t)frame, words};
  std::memcpy(payload_.data(), subbuf, sizeof *subbuf);
  std::memcpy(payload_.data() + sizeof *subbuf, &header, sizeof header);
  size_t size = kHeadBytes + frame;
  for (; size % 8; size++)
    payload_[size] = 0;
  return {payload_.data(), size};
}

std::shared_ptr<const uint64_t[]> unpack(std::span<const uint8_t> payload, size_t *count) {
  PackedHeader header;
  if (payload.size() < kHeadBytes)
    return nullptr;
  std::memcpy(&header, payload.data() + sizeof(nophook_subbuf), sizeof header);
  if (header.frame_bytes > payload.size() - kHeadBytes || header.words_bytes % 8 ||
      header.words_bytes > NOPHOOK_SUBBUF_BYTES - sizeof(nophook_subbuf))
    return nullptr;
  *count = header.words_bytes / 8;
  auto words = std::make_shared<uint64_t[]>(*count);
  size_t done = ZSTD_decompress(words.get(), header.words_bytes, payload.data() + kHeadBytes,
                                header.frame_bytes);
  return done == header.words_bytes ? words : nullptr;
}

std::vector<uint8_t> pack_names(std::span<const uint8_t> bytes) {
  constexpr int kSmall = 3; // level of chunks that are written once, at the end
  if (bytes.size() > kNamesMaxBytes)
    return {};
  NamesHeader header = {0, 0, bytes.size()};
  std::vector<uint8_t> payload(sizeof header + ZSTD_compressBound(bytes.size()));
  size_t frame = ZSTD_compress(payload.data() + sizeof header, payload.size() - sizeof header,
                               bytes.data(), bytes.size(), kSmall);
  if (ZSTD_isError(frame) || sizeof header + frame + 8 > kChunkMaxBytes)
    return {};
  header.frame_bytes = (uint32_t)frame;
  std::memcpy(payload.data(), &header, sizeof header);
  payload.resize(sizeof header + frame);
  return payload;
}

std::vector<uint8_t> unpack_names(std::span<const uint8_t> payload) {
  NamesHeader header;
  if (payload.size() < sizeof header)
    return {};
  std::memcpy(&header, payload.data(), sizeof header);
  payload = payload.subspan(sizeof header);
  if (header.frame_bytes > payload.size() || header.bytes > kNamesMaxBytes ||
      ZSTD_getFrameContentSize(payload.data(), header.frame_bytes) != header.bytes)
    return {};
  std::vector<uint8_t> bytes(header.bytes);
  size_t done = ZSTD_decompress(bytes.data(), bytes.size(), payload.data(), header.frame_bytes);
  return done == bytes.size() ? bytes : std::vector<uint8_t>();
}

} // namespace nophook
