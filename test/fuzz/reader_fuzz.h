// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzing what reads recordings and shared buffers: what must hold for any bytes.
//
// Both inputs are pieces, each a header with a magic number and a payload: the chunks of a
// recording; parts of a buffer's files. A checksum or a length would catch nearly every random
// change, so changes are made to pieces, and these are put together again as a writer would.

#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace nophook {

struct Piece {
  std::vector<uint8_t> header; // none of what is in front of the first one
  std::vector<uint8_t> payload;
};

// Which input it is: defined by recording_check.cpp and by buffer_check.cpp.
extern const uint32_t kPieceMagic;
extern const size_t kPieceHeaderBytes;
void complete(Piece *piece); // lengths and checksums

// Reads the bytes in every way that there is. Ends the process if something does not hold.
void check_input(std::span<const uint8_t> bytes);

// Changes some bytes in place and returns their new number: ours, or libFuzzer's.
using ChangeBytes = std::function<size_t(uint8_t *bytes, size_t size, size_t max_size)>;

std::vector<Piece> split_input(std::span<const uint8_t> bytes);
std::vector<uint8_t> join_input(std::vector<Piece> pieces);
std::vector<uint8_t> mutate_input(std::span<const uint8_t> bytes, std::mt19937 &random,
                                  const ChangeBytes &change);

// Changes event words: fields of them, their order, their number.
size_t change_words(uint8_t *bytes, size_t size, size_t max_size, std::mt19937 &random);

// Ends the process unless it holds.
void demand(bool holds, const std::string &what);

// The output of a verb for these arguments. Whatever the input: one line is one line, of UTF-8 without control
// characters; with `--json`, each is a JSON object. True: there is output.
using Verb = Result<int> (*)(const std::vector<std::string> &arguments);
bool check_verb(Verb verb, const std::vector<std::string> &arguments);

// A recording, converted to trace.dat.
void check_export(const std::string &recording);

} // namespace nophook
