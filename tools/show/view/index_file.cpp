// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes pages behind each other, and the header last.

#include "show/view/index_file.h"

#include "foundation/byte_stream.h"
#include "foundation/derived_file.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <llvm/Support/xxhash.h>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// A slice in the file. Times have 48 bits, which are three days of nanoseconds. Longer times are
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

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr size_t kNameLength = 6; // the length that mkostemp uses

std::string six_characters() {
  std::random_device random;
  std::string name;
  while (name.size() < kNameLength)
    name += kNameCharacters[random() % kNameCharacters.size()];
  return name;
}

// Removes unfinished indexes of killed commands. Such a file has no header, since that is written
// last, and no process holds its lock. Versions before the lock left such files, too.
void remove_left(const OutputPlace &place) {
  const std::string begin = place.name() + ".";
  std::error_code error;
  std::filesystem::directory_iterator files(fmt::format("/proc/self/fd/{}", place.folder()), error);
  for (; !error && files != std::filesystem::directory_iterator(); files.increment(error)) {
    const std::string name = files->path().filename().string();
    if (!name.starts_with(begin) || name.size() != begin.size() + kNameLength ||
        name.find_first_not_of(kNameCharacters, begin.size()) != std::string::npos)
      continue;
    FileDescriptor fd(
        ::openat(place.folder(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status;
    if (!fd.valid() || ::fstat(fd.get(), &status) || !S_ISREG(status.st_mode) ||
        status.st_uid != ::geteuid() || ::flock(fd.get(), LOCK_EX | LOCK_NB))
      continue;
    uint8_t header[kIndexHeaderBytes] = {};
    const auto bytes = std::min<uint64_t>((uint64_t)status.st_size, sizeof header);
    if (read_all_at(fd.get(), 0, header, bytes) &&
        std::ranges::all_of(header, [](uint8_t byte) { return byte == 0; }))
      ::unlinkat(place.folder(), name.c_str(), 0);
  }
}

} // namespace

uint64_t hash_of(const void *data, size_t bytes) {
  return llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const uint8_t *>(data), bytes));
}

bool IndexFile::create_beside(const std::string &path) {
  auto place = OutputPlace::find(path, "cannot be made", OutputPlace::LastLink::kIsReplaced);
  if (!place)
    return false;
  remove_left(*place);
  // An unnamed file gets its name by way of /proc.
  if (!::access("/proc/self/fd", X_OK))
    fd_.reset(::openat(place->folder(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  while (!fd_.valid()) {
    const std::string name = place->name() + "." + six_characters();
    fd_.reset(::openat(place->folder(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd_.valid() && errno == EEXIST)
      continue;
    if (!fd_.valid())
      return false;
    // The lock shows that the file is in use. Another command may have removed the file before.
    // Where a file system has no locks, nothing is removed.
    struct stat status = {};
    // An error means such a file system.
    (void)::flock(fd_.get(), LOCK_EX | LOCK_NB);
    if (!::fstat(fd_.get(), &status) && !status.st_nlink)
      fd_.reset();
    else
      temporary_ = name;
  }
  place_ = std::move(*place);
  return true;
}

Result<std::unique_ptr<IndexFile>> IndexFile::create(const std::string &path, int recording) {
  auto file = std::make_unique<IndexFile>();
  if (file->create_beside(path)) {
    // After an error, the file stays private.
    (void)::fchmod(file->fd_.get(), derived_mode(file->fd_.get(), std::array{recording}));
  } else {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "nophook-index-XXXXXX");
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
    ::unlinkat(place_->folder(), temporary_.c_str(), 0);
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
  if (!place_)
    return true;
  const std::string descriptor = fmt::format("/proc/self/fd/{}", fd_.get());
  // A link replaces no file, so the file gets a temporary name first.
  for (int tries = 0; temporary_.empty(); tries++) {
    std::string name = place_->name() + "." + six_characters();
    if (!::linkat(AT_FDCWD, descriptor.c_str(), place_->folder(), name.c_str(), AT_SYMLINK_FOLLOW))
      temporary_ = name;
    else if (errno != EEXIST || tries == 100)
      return false;
  }
  if (::renameat(place_->folder(), temporary_.c_str(), place_->folder(), place_->name().c_str()))
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
  out.put((uint8_t)state.stacks.is_announced);
  out.put((uint32_t)state.stacks.stacks.size());
  for (const OpenStack &stack : state.stacks.stacks) {
    out.put(stack.number);
    out.put(stack.parent);
    out.put((uint8_t)stack.is_bordered);
    out.put(stack.fiber);
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
  uint8_t flag = 0;
  in.get(&flag);
  state.stacks.is_announced = flag;
  in.get(&stacks);
  for (uint32_t i = 0; i < stacks && in.ok(); i++) {
    OpenStack &stack = state.stacks.stacks.emplace_back();
    in.get(&stack.number);
    in.get(&stack.parent);
    in.get(&flag);
    stack.is_bordered = flag;
    in.get(&stack.fiber);
    in.get_all(&stack.calls);
  }
  if (!in.ok())
    return std::nullopt;
  return state;
}

} // namespace nophook
