// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reader_fuzz.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <cstring>

namespace nophook {

namespace {

size_t below(std::mt19937 &random, size_t limit) {
  return limit ? random() % limit : 0;
}

// A function of a large number makes tables large and the fuzzer slow: that is rare here.
uint64_t changed_word(uint64_t word, std::mt19937 &random) {
  static constexpr uint64_t kEdges[] = {0, 1, ~uint64_t{0}, 1u << 31, uint64_t{1} << 63, 0xffff};
  static constexpr unsigned kFields[] = {0, 8, NOPHOOK_SP_SHIFT, 32, NOPHOOK_ID_SHIFT};
  switch (random() % 8) {
  case 0: // another kind of event
  case 1:
    return (word & ~(uint64_t{7} << NOPHOOK_KIND_SHIFT)) | (uint64_t)(random() % 8)
                                                               << NOPHOOK_KIND_SHIFT;
  case 2: // another time, stack, function
  case 3:
    return word ^ (uint64_t)(random() % 8) << kFields[below(random, std::size(kFields))];
  case 4:
    return word + (random() % 2 ? 1 : -1);
  case 5:
    return kEdges[below(random, std::size(kEdges))];
  case 6:
    return word ^ uint64_t{1} << random() % 64;
  default:
    return word ^ uint64_t{1} << random() % (NOPHOOK_ID_SHIFT + 4);
  }
}

} // namespace

size_t change_words(uint8_t *bytes, size_t size, size_t max_size, std::mt19937 &random) {
  size_t words = size / 8;
  if (words < 2)
    return size;
  auto at = [&] { return bytes + below(random, words) * 8; };
  uint8_t *to = at(), *from = at();
  uint64_t word;
  switch (random() % 8) {
  case 0: // another one's, of the same stream
    std::memcpy(to, from, 8);
    return size;
  case 1: // one more
    if (size + 8 > max_size)
      return size;
    std::memmove(to + 8, to, size - (size_t)(to - bytes));
    return size + 8;
  case 2: // up to 64 fewer
    word = std::min<size_t>(8 * (1 + below(random, 64)), size - (size_t)(to - bytes));
    std::memmove(to, to + word, size - (size_t)(to - bytes) - word);
    return size - word;
  case 3:
    bytes[below(random, size)] = (uint8_t)random();
    return size;
  default:
    std::memcpy(&word, to, 8);
    word = changed_word(word, random);
    std::memcpy(to, &word, 8);
    return size;
  }
}

std::vector<Piece> split_input(std::span<const uint8_t> bytes) {
  std::vector<Piece> pieces(1);
  for (size_t at = 0; at < bytes.size();) {
    if (bytes.size() - at >= kPieceHeaderBytes &&
        std::memcmp(&bytes[at], &kPieceMagic, sizeof kPieceMagic) == 0) {
      auto header = bytes.subspan(at, kPieceHeaderBytes);
      pieces.push_back({{header.begin(), header.end()}, {}});
      at += kPieceHeaderBytes;
    } else {
      pieces.back().payload.push_back(bytes[at++]);
    }
  }
  return pieces;
}

std::vector<uint8_t> join_input(std::vector<Piece> pieces) {
  std::vector<uint8_t> bytes;
  for (Piece &piece : pieces) {
    if (!piece.header.empty()) {
      piece.payload.resize(piece.payload.size() / 8 * 8);
      complete(&piece);
    }
    bytes.insert(bytes.end(), piece.header.begin(), piece.header.end());
    bytes.insert(bytes.end(), piece.payload.begin(), piece.payload.end());
  }
  return bytes;
}

std::vector<uint8_t> mutate_input(std::span<const uint8_t> bytes, std::mt19937 &random,
                                  const ChangeBytes &change) {
  std::vector<Piece> pieces = split_input(bytes);
  if (pieces.size() < 2)
    return {bytes.begin(), bytes.end()};
  size_t which = 1 + below(random, pieces.size() - 1);
  switch (random() % 16) {
  case 0:
    pieces.insert(pieces.begin() + 1 + (ptrdiff_t)below(random, pieces.size()), pieces[which]);
    break;
  case 1:
    pieces.erase(pieces.begin() + (ptrdiff_t)which);
    break;
  case 2:
    std::swap(pieces[which], pieces[1 + below(random, pieces.size() - 1)]);
    break;
  case 3: {
    std::vector<uint8_t> &header = pieces[which].header;
    header[4 + below(random, header.size() - 4)] =
        (uint8_t)(random() % 4 ? random() % 12 : random());
    break;
  }
  default: {
    std::vector<uint8_t> &payload = pieces[which].payload;
    size_t size = payload.size();
    payload.resize(size + 128);
    payload.resize(change(payload.data(), size, payload.size()));
  }
  }
  return join_input(std::move(pieces));
}

} // namespace nophook
