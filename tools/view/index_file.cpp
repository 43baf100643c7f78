// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "view/index_file.h"

#include "base/byte_stream.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <llvm/Support/xxhash.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// A slice in the file: times have 48 bits, which are three days of nanoseconds. Longer ones are
// cut.
struct StoredSlice {
  uint32_t function;
  uint32_t calls;
  uint64_t start_and_depth;
  uint64_t duration_flags_busy;
};
static_assert(sizeof(StoredSlice) == 24);
constexpr uint64_t kMostTime = (uint64_t{1} << 48) - 1;

StoredSlice store(const Slice &slice) {
  return {slice.function, slice.calls,
          std::min(slice.start, kMostTime) | (uint64_t)slice.depth << 48,
          std::min(slice.duration, kMostTime) | (uint64_t)slice.flags << 48 |
              (uint64_t)slice.busy << 56};
}

Slice restore(const StoredSlice &stored) {
  Slice slice;
  slice.function = stored.function;
  slice.calls = stored.calls;
  slice.start = stored.start_and_depth & kMostTime;
  slice.depth = (uint16_t)(stored.start_and_depth >> 48);
  slice.duration = stored.duration_flags_busy & kMostTime;
  slice.flags = (uint8_t)(stored.duration_flags_busy >> 48);
  slice.busy = (uint8_t)(stored.duration_flags_busy >> 56);
  return slice;
}

} // namespace

uint64_t hash_of(const void *data, size_t bytes) {
  return llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const uint8_t *>(data), bytes));
}

Result<std::unique_ptr<IndexFile>> IndexFile::create(const std::string &path) {
  auto file = std::make_unique<IndexFile>();
  std::string name = path + ".XXXXXX";
  file->fd_.reset(::mkostemp(name.data(), O_CLOEXEC));
  if (file->fd_.valid()) {
    file->path_ = path;
    file->temporary_ = name;
    // As the recorder's file: mkostemp gives it to its owner alone.
    mode_t mask = ::umask(0);
    ::umask(mask);
    (void)::fchmod(file->fd_.get(), 0666 & ~mask); // else it stays private, which is allowed
  } else {
    std::error_code error;
    name = (std::filesystem::temp_directory_path(error) / "nophook-index-XXXXXX").string();
    file->fd_.reset(::mkostemp(name.data(), O_CLOEXEC));
    if (!file->fd_.valid())
      return system_error(name, "cannot be made");
    ::unlink(name.c_str());
  }
  file->size_ = kIndexHeaderBytes;
  return file;
}

Result<std::unique_ptr<IndexFile>> IndexFile::open(const std::string &path) {
  auto file = std::make_unique<IndexFile>();
  file->fd_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file->fd_.valid() || ::fstat(file->fd_.get(), &status) || !S_ISREG(status.st_mode))
    return error_at(path, "cannot be opened");
  file->size_ = (uint64_t)status.st_size;
  return file;
}

IndexFile::~IndexFile() {
  if (!temporary_.empty())
    ::unlink(temporary_.c_str());
}

uint64_t IndexFile::append(std::span<const uint8_t> bytes) {
  uint64_t offset = size_.fetch_add(bytes.size());
  if (!write_at(offset, bytes.data(), bytes.size()))
    failed_ = true;
  return offset;
}

bool IndexFile::write_at(uint64_t offset, const void *data, uint64_t bytes) {
  return write_all_at(fd_.get(), offset, data, bytes);
}

bool IndexFile::read(uint64_t offset, void *to, uint64_t bytes) const {
  return read_all_at(fd_.get(), offset, to, bytes);
}

bool IndexFile::publish() {
  if (temporary_.empty())
    return true;
  if (::rename(temporary_.c_str(), path_.c_str()))
    return false;
  temporary_.clear();
  return true;
}

SlicePage write_page(IndexFile &file, std::span<const Slice> slices) {
  SlicePage page;
  std::vector<StoredSlice> stored;
  stored.reserve(slices.size());
  for (const Slice &slice : slices) {
    stored.push_back(store(slice));
    page.first_start = std::min(page.first_start, slice.start);
    page.last_end = std::max(page.last_end, slice.end());
  }
  page.slices = (uint32_t)slices.size();
  page.checksum = hash_of(stored.data(), stored.size() * sizeof(StoredSlice));
  page.offset = file.append(
      {reinterpret_cast<const uint8_t *>(stored.data()), stored.size() * sizeof(StoredSlice)});
  return page;
}

bool read_page(const IndexFile &file, const SlicePage &page, std::vector<Slice> *slices) {
  if (page.slices > Levels::kPageSlices)
    return false;
  std::vector<StoredSlice> stored(page.slices);
  size_t bytes = stored.size() * sizeof(StoredSlice);
  if (!file.read(page.offset, stored.data(), bytes) ||
      hash_of(stored.data(), bytes) != page.checksum)
    return false;
  for (const StoredSlice &slice : stored)
    slices->push_back(restore(slice));
  return true;
}

std::vector<uint8_t> encode_set(const std::vector<uint32_t> &ascending) {
  std::vector<uint8_t> bytes;
  uint32_t before = 0;
  for (uint32_t number : ascending) {
    uint32_t left = number - std::exchange(before, number);
    for (; left >= 0x80; left >>= 7)
      bytes.push_back((uint8_t)(left | 0x80));
    bytes.push_back((uint8_t)left);
  }
  return bytes;
}

std::vector<uint32_t> decode_set(std::span<const uint8_t> bytes) {
  std::vector<uint32_t> numbers;
  uint32_t number = 0, part = 0;
  unsigned shift = 0;
  for (uint8_t byte : bytes) {
    part |= shift < 32 ? (uint32_t)(byte & 0x7f) << shift : 0;
    shift += 7;
    if (byte & 0x80)
      continue;
    numbers.push_back(number += part);
    part = 0, shift = 0;
  }
  return numbers;
}

std::vector<uint8_t> encode_state(const Timeline::State &state) {
  ByteWriter out;
  out.put(state.decoder);
  out.put(state.last_tsc);
  out.put(state.lost_tsc);
  out.put(state.stacks.current);
  out.put(state.stacks.numbers);
  out.put((uint32_t)state.stacks.stacks.size());
  for (const OpenStack &stack : state.stacks.stacks) {
    out.put(stack.number);
    out.put_all(stack.calls);
  }
  return out.take();
}

std::optional<Timeline::State> decode_state(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  Timeline::State state;
  uint32_t stacks = 0;
  in.get(&state.decoder);
  in.get(&state.last_tsc);
  in.get(&state.lost_tsc);
  in.get(&state.stacks.current);
  in.get(&state.stacks.numbers);
  in.get(&stacks);
  for (uint32_t i = 0; i < stacks && in.ok(); i++) {
    OpenStack &stack = state.stacks.stacks.emplace_back();
    in.get(&stack.number);
    in.get_all(&stack.calls);
  }
  if (!in.ok())
    return std::nullopt;
  return state;
}

} // namespace nophook
