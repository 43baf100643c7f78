// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the folder by getdents64 and removes buffers whose processes are proven to be gone.

#include "buffer/leftovers.h"

#include "base/memory.h"
#include "base/own_identity.h"

#include <nophook/buffer.h>

#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>

namespace nophook {
namespace {

constexpr uint32_t kMostSeen = 1024; // the most buffers of a folder that are considered at once
constexpr uint32_t kMostLooks = 128; // the most processes that are looked for
// Seconds in which a buffer stays for a recorder that may still come.
constexpr uint64_t kReadSoon = 3600;

struct Found {
  uint64_t seconds; // time of its last change, in seconds
  uint64_t bytes;   // size of its files; 0: it is gone, or stays
  char stem[64];    // the part of its name without the suffix
};

struct Leftovers {
  Found found[kMostSeen];
  uint32_t count;
  uint64_t bytes;
  alignas(8) char entries[32768];
  nophook_buffer header;
};

// An entry as getdents64 returns it.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t bytes;
  uint8_t type;
  char name[];
};

constexpr const char *kSuffixes[] = {".buf", ".maps", ".prof"};

void add(Leftovers *all, long folder, const char *name) {
  constexpr uint64_t kSuffix = 4; // ".buf"
  uint64_t length = text_length(name);
  struct stat about;
  if (all->count == kMostSeen || length <= kSuffix || length >= sizeof(Found::stem) ||
      !equal_bytes(name + length - kSuffix, kSuffixes[0], kSuffix) ||
      sys_failed(sys(SYS_newfstatat, folder, name, &about, AT_SYMLINK_NOFOLLOW)) ||
      !S_ISREG(about.st_mode))
    return;
  Found *found = &all->found[all->count++];
  found->seconds = (uint64_t)about.st_mtim.tv_sec;
  found->bytes = (uint64_t)about.st_blocks * 512 + 1;
  copy_bytes(found->stem, name, length - kSuffix);
  all->bytes += found->bytes;
}

void read_folder(Leftovers *all, long folder) {
  for (long bytes; bytes = sys(SYS_getdents64, folder, all->entries, sizeof all->entries),
                   !sys_failed(bytes) && bytes > 0;)
    for (long at = 0; at < bytes;) {
      const auto *entry = reinterpret_cast<const Entry *>(all->entries + at);
      add(all, folder, entry->name);
      at += entry->bytes;
    }
}

bool is_left(const nophook_buffer &header, uint64_t pid_namespace, uint64_t age) {
  return header.magic == NOPHOOK_BUFFER_MAGIC && header.version <= NOPHOOK_BUFFER_VERSION &&
         header.header_bytes > offsetof(nophook_buffer, pid_namespace) && pid_namespace &&
         header.pid_namespace == pid_namespace && (!header.session || age > kReadSoon) &&
         is_process_gone(header.pid);
}

// Removes the buffer's files, unless some reader may want them.
void remove(Leftovers *all, long folder, const Found &found, uint64_t pid_namespace, uint64_t age) {
  constexpr int kLockAtOnce = LOCK_EX | LOCK_NB;
  Text<80> name;
  long file = sys(SYS_openat, folder, name.add(found.stem).add(kSuffixes[0]).c_str(),
                  O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (sys_failed(file))
    return;
  long bytes = sys(SYS_read, file, &all->header, sizeof all->header);
  if (bytes == (long)sizeof all->header && is_left(all->header, pid_namespace, age) &&
      !sys_failed(sys(SYS_flock, file, kLockAtOnce)))
    for (const char *suffix : kSuffixes) {
      Text<80> path;
      sys(SYS_unlinkat, folder, path.add(found.stem).add(suffix).c_str(), 0);
    }
  sys(SYS_close, file);
}

Found *oldest(Leftovers *all) {
  Found *oldest = nullptr;
  for (uint32_t i = 0; i < all->count; i++)
    if (all->found[i].bytes && (!oldest || all->found[i].seconds < oldest->seconds))
      oldest = &all->found[i];
  return oldest;
}

uint64_t most_bytes(long folder) {
  struct statfs fs;
  uint64_t quarter = sys_failed(sys(SYS_fstatfs, folder, &fs))
                         ? kMostLeftoverBytes
                         : (uint64_t)fs.f_blocks / 4 * (uint64_t)fs.f_bsize;
  return quarter < kMostLeftoverBytes ? quarter : kMostLeftoverBytes;
}

// Removes the oldest buffer. A buffer that stays for another reason counts as removed: otherwise
// another would be removed in its place.
void remove_oldest(Leftovers *all, long folder) {
  uint64_t now[2] = {}, most = most_bytes(folder), left = all->count, pid_namespace = 0;
  // Cannot fail; a time of 0 would make all buffers young.
  sys(SYS_clock_gettime, CLOCK_REALTIME, now);
  Found *found;
  for (uint32_t looks = 0; looks < kMostLooks && (found = oldest(all)); looks++, left--) {
    uint64_t age = now[0] > found->seconds ? now[0] - found->seconds : 0;
    if (left <= kMostLeftovers && all->bytes <= most && age <= kMostLeftoverSeconds)
      return;
    if (!pid_namespace)
      pid_namespace = own_birth().pid_namespace;
    remove(all, folder, *found, pid_namespace, age);
    all->bytes -= found->bytes;
    found->bytes = 0;
  }
}

} // namespace

void remove_leftovers(const char *path) {
  long folder = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (sys_failed(folder))
    return;
  if (auto *all = static_cast<Leftovers *>(map_pages(sizeof(Leftovers)))) {
    read_folder(all, folder);
    remove_oldest(all, folder);
    unmap_pages(all, sizeof(Leftovers));
  }
  sys(SYS_close, folder);
}

} // namespace nophook
