// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "drain/profile_file.h"

#include "base/file.h"
#include "drain/buffer_file.h"

#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace nophook {

namespace {

// Reads [offset, offset + bytes) of the file; false if it has not so much.
bool read_at(int fd, uint64_t offset, void *to, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes;) {
    ssize_t n = pread(fd, static_cast<char *>(to) + done, bytes - done, (off_t)(offset + done));
    if (n <= 0)
      return false;
    done += (uint64_t)n;
  }
  return true;
}

} // namespace

void read_profile(const std::string &buffer_path, const UseProfile &use) {
  std::string path = beside_buffer(buffer_path, kProfileSuffix);
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat st;
  uint64_t file_bytes = fd.valid() && fstat(fd.get(), &st) == 0 ? (uint64_t)st.st_size : 0;
  nophook_profile block;
  std::vector<char> counts;
  std::vector<ProfileRow> rows;
  for (uint64_t at = 0; fd.valid() && read_at(fd.get(), at, &block, sizeof block) &&
                        block.magic == NOPHOOK_PROFILE_MAGIC;
       at += block.bytes) {
    uint64_t bytes = (uint64_t)block.ids * block.entry_bytes;
    if (block.entry_bytes < sizeof(nophook_counts) || block.bytes < sizeof block ||
        bytes > block.bytes - sizeof block || at + block.bytes > file_bytes)
      break;
    counts.resize(bytes);
    if (!read_at(fd.get(), at + sizeof block, counts.data(), bytes))
      break;
    ProfileHeader head = {block.tid, sizeof(ProfileRow), {}};
    std::memcpy(head.comm, block.comm, sizeof head.comm);
    rows.clear();
    for (uint32_t id = 0; id < block.ids; id++) {
      ProfileRow row = {id, {}};
      std::memcpy(&row.counts, counts.data() + (uint64_t)id * block.entry_bytes, sizeof row.counts);
      if (row.counts.hits)
        rows.push_back(row);
    }
    use(head, rows);
  }
}

uint64_t write_profile(const std::string &buffer_path, uint32_t process, RecordingWriter &writer) {
  uint64_t calls = 0;
  read_profile(buffer_path, [&](const ProfileHeader &head, std::span<const ProfileRow> rows) {
    const auto *begin = reinterpret_cast<const uint8_t *>(&head);
    std::vector<uint8_t> chunk(begin, begin + sizeof head);
    begin = reinterpret_cast<const uint8_t *>(rows.data());
    chunk.insert(chunk.end(), begin, begin + rows.size_bytes());
    for (const ProfileRow &row : rows)
      calls += row.counts.hits;
    writer.append(ChunkType::kProfile, process, chunk);
  });
  return calls;
}

} // namespace nophook
