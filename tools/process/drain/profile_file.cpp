// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the file block by block, each the counts of one thread, and checks each size before its
// use.

#include "process/drain/profile_file.h"

#include "foundation/file.h"
#include "process/drain/buffer_file.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <vector>

namespace nophook {

namespace {

constexpr uint32_t kMostIds = 1 << NOPHOOK_ID_BITS, kMostEntryBytes = 4096;
constexpr uint64_t kPartBytes = 1 << 20;

// Reads the rows of a block whose entries are at `at`, part by part: a block may have as many as a
// 32-bit number allows. False: it is cut off.
bool read_rows(const InputFile &file, uint64_t at, const nophook_profile &block,
               std::vector<ProfileRow> *rows) {
  const uint32_t most = (uint32_t)(kPartBytes / block.entry_bytes);
  std::vector<char> counts((uint64_t)most * block.entry_bytes);
  for (uint32_t first = 0; first < block.ids; first += most) {
    uint32_t some = std::min(most, block.ids - first);
    if (!file.read(at + (uint64_t)first * block.entry_bytes, counts.data(),
                   (uint64_t)some * block.entry_bytes))
      return false;
    for (uint32_t i = 0; i < some; i++) {
      ProfileRow row = {first + i, {}};
      std::memcpy(&row.counts, counts.data() + (uint64_t)i * block.entry_bytes, sizeof row.counts);
      if (row.counts.hits)
        rows->push_back(row);
    }
  }
  return true;
}

} // namespace

void read_profile(const std::string &buffer_path, const UseProfile &use) {
  auto file = InputFile::open(beside_buffer(buffer_path, kProfileSuffix), O_NOFOLLOW);
  nophook_profile block;
  for (uint64_t at = 0;
       file && file->read(at, &block, sizeof block) && block.magic == NOPHOOK_PROFILE_MAGIC;
       at += block.bytes) {
    if (block.ids > kMostIds || block.entry_bytes < sizeof(nophook_counts) ||
        block.entry_bytes > kMostEntryBytes || block.bytes < sizeof block ||
        (uint64_t)block.ids * block.entry_bytes > block.bytes - sizeof block ||
        at + block.bytes > file->size())
      break;
    std::vector<ProfileRow> rows;
    if (!read_rows(*file, at + sizeof block, block, &rows))
      break;
    ProfileHeader head = {block.tid, sizeof(ProfileRow), {}};
    std::memcpy(head.comm, block.comm, sizeof head.comm);
    use(head, rows);
  }
}

uint64_t write_profile(const std::string &buffer_path, uint32_t process, RecordingWriter &writer,
                       SeenFunctions *seen) {
  uint64_t calls = 0;
  read_profile(buffer_path, [&](const ProfileHeader &head, std::span<const ProfileRow> rows) {
    const auto *begin = reinterpret_cast<const uint8_t *>(&head);
    std::vector<uint8_t> chunk(begin, begin + sizeof head);
    begin = reinterpret_cast<const uint8_t *>(rows.data());
    chunk.insert(chunk.end(), begin, begin + rows.size_bytes());
    for (const ProfileRow &row : rows) {
      calls += row.counts.hits;
      seen->add((uint32_t)row.id);
    }
    writer.append(ChunkType::kProfile, process, chunk);
  });
  return calls;
}

} // namespace nophook
