// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of an index: pages of slices, states of decoders, sets of functions, in a file that
// gets its name when it is whole.

#pragma once

#include "foundation/output_place.h"
#include "read/steps/timeline.h"
#include "show/view/levels.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nophook {

// The bytes of the header in front of everything else (show/view/index.cpp); written last.
constexpr uint64_t kIndexHeaderBytes = 56;

// XXH3 of the bytes, as in recordings.
uint64_t hash_of(const void *data, size_t bytes);

// The file of an index. Several threads may write and read it at the same time.
class IndexFile {
public:
  // Creates the file in the folder of `path`, without a name until publish(), so that a killed
  // command leaves nothing behind. On a file system without unnamed files, its name is `path` with
  // six characters behind it, and the next create() removes such a file of a killed command. If the
  // folder cannot be written to, the file is in the folder for temporary files and never gets a
  // name. `recording` is a descriptor of the recording: the index gets no more rights than it.
  static Result<std::unique_ptr<IndexFile>> create(const std::string &path, int recording);
  static Result<std::unique_ptr<IndexFile>> open(const std::string &path);
  ~IndexFile();

  uint64_t append(std::span<const uint8_t> bytes); // returns its offset
  bool write_at(uint64_t offset, const void *data, uint64_t bytes);
  bool read(uint64_t offset, void *to, uint64_t bytes) const;
  uint64_t size() const { return size_; }
  bool failed() const { return failed_; } // a write has failed: the disk is full

  bool publish(); // gives the file its name, if it is to have one; false: errno has the reason

private:
  bool create_beside(const std::string &path);

  FileDescriptor fd_;
  std::optional<OutputPlace> place_; // none: it gets no name
  std::string temporary_;            // a name beside the final one; empty: none
  std::atomic<uint64_t> size_{0};
  std::atomic<bool> failed_{false};
};

SlicePage write_page(IndexFile &file, std::span<const Slice> slices);
// Reads the slices of a page. False: the page is damaged.
bool read_page(const IndexFile &file, const SlicePage &page, std::vector<Slice> *slices);

// Encodes numbers in ascending order as differences, with seven bits in each byte.
std::vector<uint8_t> encode_set(const std::vector<uint32_t> &ascending);
std::vector<uint32_t> decode_set(std::span<const uint8_t> bytes);

std::vector<uint8_t> encode_state(const Timeline::State &state);
std::optional<Timeline::State> decode_state(std::span<const uint8_t> bytes);

} // namespace nophook
