// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the list from where the last read ended, and writes each whole record once.

#include "process/drain/recorded_modules.h"

#include "foundation/file.h"
#include "foundation/regular_file.h"
#include "process/drain/buffer_file.h"
#include "process/drain/mapped_modules.h"

#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <llvm/Support/xxhash.h>
#include <unistd.h>

namespace nophook {

namespace {

std::span<const uint8_t> bytes_of(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

} // namespace

// The list's end may not be written yet. But a start with an impossible size is damaged, and ends
// the list, however much is behind it.
bool RecordedModules::is_damaged() const {
  constexpr uint32_t kMost = 64 << 20; // largest size of one record: 4 bytes for each function
  nophook_map next;
  if (maps_.size() - recorded_ < sizeof next)
    return false;
  std::memcpy(&next, maps_.data() + recorded_, sizeof next);
  return next.bytes < sizeof next || next.bytes > kMost;
}

void RecordedModules::read(SharedBuffer &buffer) {
  lists_callers_ = buffer.header().tracer != NOPHOOK_EVENT_ENTRY;
  constexpr uint64_t kMost = 256 << 20; // largest size of all records
  auto file = open_regular(beside_buffer(buffer.path(), kMapsSuffix), O_RDONLY | O_NOFOLLOW);
  char part[65536];
  bool more = false;
  while (file && maps_.size() < kMost && !is_damaged()) {
    ssize_t n = pread(file->fd.get(), part, sizeof part, (off_t)maps_.size());
    if (n <= 0)
      break;
    maps_.append(part, (size_t)n);
    more |= record();
  }
  if (more)
    list_code(read_small_file(fmt::format("/proc/{}/maps", buffer.owner().number_here())));
}

// Records the modules whose records are whole. True: there were any.
bool RecordedModules::record() {
  bool more = false;
  while (maps_.size() - recorded_ >= sizeof(nophook_map)) {
    nophook_map map;
    std::memcpy(&map, maps_.data() + recorded_, sizeof map);
    if (is_damaged() || map.bytes > maps_.size() - recorded_)
      break; // the end, or a record that is not whole yet
    if (map.first_id == NOPHOOK_MAP_CODE)
      list_code(maps_.substr(recorded_ + sizeof map, map.bytes - sizeof map));
    else
      write(bytes_of(maps_).subspan(recorded_, map.bytes));
    recorded_ += map.bytes;
    more = true;
  }
  return more;
}

// Lists modules without sites, which only callers may be in.
void RecordedModules::list_code(const std::string &maps) {
  if (!lists_callers_)
    return;
  for (const std::string &record : mapped_modules(maps))
    if (listed_.insert(record).second)
      write(bytes_of(record));
}

// The hash avoids repetitions: a fork child has its parent's modules, so its list would be the same
// again.
void RecordedModules::write(std::span<const uint8_t> record) {
  uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef(record.data(), record.size()));
  auto [known, is_new] = totals_.maps.try_emplace(hash, writer_.bytes());
  if (is_new)
    writer_.append(ChunkType::kMap, index_, record);
  else
    writer_.append(ChunkType::kSameMap, index_,
                   {reinterpret_cast<const uint8_t *>(&known->second), sizeof known->second});
}

namespace {

std::string path_of(const char *record) {
  nophook_map map;
  std::memcpy(&map, record, sizeof map);
  const std::string path(record + sizeof map, map.path_bytes);
  return path.substr(0, path.find('\0'));
}

std::string build_id_of(const nophook_map &map) {
  return {reinterpret_cast<const char *>(map.build_id),
          std::min<size_t>(map.build_id_bytes, sizeof map.build_id)};
}

// The names of call stubs follow the offsets.
void add_calls(std::string_view texts, uint32_t count, const SeenFunctions &seen, uint32_t first_id,
               std::set<std::string> *calls) {
  for (uint32_t i = 0; i < count; i++) {
    const size_t end = texts.find('\0');
    if (end == texts.npos || end == 0)
      return;
    if (seen.of(first_id + i))
      calls->emplace(texts.substr(0, end));
    texts.remove_prefix(end + 1);
  }
}

} // namespace

void RecordedModules::count_functions(const SeenFunctions &seen, const SeenCallers &callers) {
  for (uint64_t at = 0; at < recorded_;) {
    nophook_map map;
    std::memcpy(&map, maps_.data() + at, sizeof map);
    const uint64_t offsets = sizeof map + (uint64_t)map.path_bytes;
    const uint64_t behind = offsets + (uint64_t)map.count * 4;
    if (map.first_id != NOPHOOK_MAP_CODE && behind <= map.bytes) {
      const std::string path = path_of(&maps_[at]);
      totals_.modules.try_emplace({path, build_id_of(map)});
      auto &marks = totals_.functions[path];
      for (uint32_t i = 0; i < map.count; i++)
        if (uint8_t mark = seen.of(map.first_id + i)) {
          uint32_t offset;
          std::memcpy(&offset, &maps_[at + offsets + (uint64_t)i * 4], 4);
          marks[offset] |= mark;
        }
      add_calls(std::string_view(maps_).substr(at + behind, map.bytes - behind), map.count, seen,
                map.first_id, &totals_.calls);
    }
    at += map.bytes;
  }
  count_callers(callers);
}

// A caller is in the module with the highest start below it.
void RecordedModules::count_callers(const SeenCallers &callers) {
  if (callers.addresses().empty())
    return;
  std::map<uint64_t, std::pair<std::string, std::string>> by_bias;
  auto add = [&](const char *record) {
    nophook_map map;
    std::memcpy(&map, record, sizeof map);
    if (sizeof map + (uint64_t)map.path_bytes <= map.bytes)
      by_bias[map.bias] = {path_of(record), build_id_of(map)};
  };
  for (uint64_t at = 0; at < recorded_;) {
    nophook_map map;
    std::memcpy(&map, maps_.data() + at, sizeof map);
    if (map.first_id != NOPHOOK_MAP_CODE)
      add(&maps_[at]);
    at += map.bytes;
  }
  for (const std::string &record : listed_)
    add(record.data());
  for (uint64_t address : callers.addresses()) {
    auto after = by_bias.upper_bound(address);
    if (after == by_bias.begin())
      continue;
    const auto &[bias, module] = *std::prev(after);
    auto &addresses = totals_.modules[module];
    if (addresses.size() < SeenCallers::kMost)
      addresses.insert(address - bias);
  }
}

} // namespace nophook
