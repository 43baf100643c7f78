// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NAME.maps beside a buffer: which function an id is, and where callers may be.

#include "base/growing_file.h"
#include "base/memory.h"
#include "buffer/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace nophook {
namespace {

constexpr const char *kNotWritten = "the list of functions cannot be written into buffer_dir";

// One record of NAME.maps. A part of one, where there is no room for the whole, is taken away
// again: what is appended later would not be found behind it.
Status append_map(const Buffer &buffer, const nophook_map *map) {
  long fd = sys(SYS_openat, AT_FDCWD, buffer.maps_path,
                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (sys_failed(fd))
    return failure((int)-fd, kNotWritten);
  long end = sys(SYS_lseek, fd, 0, SEEK_END);
  long written = sys_growing(SYS_write, fd, map, map->bytes);
  bool is_whole = !sys_failed(written) && (uint64_t)written == map->bytes;
  if (!is_whole && !sys_failed(written) && !sys_failed(end))
    sys_growing(SYS_ftruncate, fd, end); // refused, readers stop at the part of a record
  sys(SYS_close, fd);
  return is_whole ? Status{} : failure(sys_failed(written) ? (int)-written : ENOSPC, kNotWritten);
}

Status list_module(const Buffer &buffer, const Module *module) {
  uint32_t count = module->records.count();
  if (!count)
    return {};
  uint64_t path = text_length(module->path), path_bytes = round_up(path + 1, 4);
  uint64_t bytes = sizeof(nophook_map) + path_bytes + (uint64_t)count * sizeof(uint32_t);
  if (bytes > UINT32_MAX)
    return failure(EOVERFLOW, "a module has too many functions for its list");
  char *record = static_cast<char *>(map_pages(bytes));
  if (!record)
    return failure(ENOMEM, "no memory to list a module");
  auto *map = reinterpret_cast<nophook_map *>(record);
  map->bytes = (uint32_t)bytes;
  map->first_id = module->first_id;
  map->count = count;
  map->path_bytes = (uint32_t)path_bytes;
  map->bias = module->bias;
  map->build_id_bytes = module->build_id_bytes;
  copy_bytes(map->build_id, module->build_id, sizeof(map->build_id));
  copy_bytes(record + sizeof(nophook_map), module->path, path);
  auto *offset = reinterpret_cast<uint32_t *>(record + sizeof(nophook_map) + path_bytes);
  for (uint32_t i = 0; i < count; i++)
    offset[i] = (uint32_t)(module->records.ip(i) - module->bias);
  Status status = append_map(buffer, map);
  unmap_pages(record, bytes);
  return status;
}

// "START-END r-xp OFFSET DEVICE INODE PATH"
bool is_code(const char *line, const char *end) {
  while (line < end && *line != ' ')
    line++;
  bool is_executable = end - line > 3 && line[3] == 'x';
  while (line < end && *line != '/')
    line++;
  return is_executable && line < end;
}

} // namespace

// From the kernel: the loader's list has a lock.
Status buffer_list_code(const Buffer &buffer) {
  constexpr uint64_t kMost = 1 << 20;
  long file = sys(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (sys_failed(file))
    return {};
  auto *map = static_cast<nophook_map *>(map_pages(sizeof(nophook_map) + kMost, MAP_NORESERVE));
  auto *text = reinterpret_cast<char *>(map + 1);
  uint64_t bytes = 0, kept = 0;
  for (long n; map && bytes < kMost; bytes += (uint64_t)n)
    if (n = sys(SYS_read, file, text + bytes, kMost - bytes); sys_failed(n) || !n)
      break;
  sys(SYS_close, file);
  if (!map)
    return {};
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != '\n';)
      end++;
    if (end == bytes || !is_code(text + at, text + end))
      continue;
    copy_bytes(text + kept, text + at, end + 1 - at);
    kept += end + 1 - at;
  }
  while (kept % 4)
    text[kept++] = 0;
  map->first_id = NOPHOOK_MAP_CODE;
  map->path_bytes = (uint32_t)kept;
  map->bytes = (uint32_t)(sizeof *map + kept);
  Status status = append_map(buffer, map);
  unmap_pages(map, sizeof *map + kMost);
  return status;
}

Status buffer_list_modules(Buffer &buffer, uint32_t new_modules) {
  for (Module *m = first_module(); m && new_modules; m = m->next, new_modules--)
    NOPHOOK_TRY(list_module(buffer, m));
  return {};
}

} // namespace nophook
