// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NAME.maps beside a buffer: the function of each id, and the files that callers may be in.

#include "base/growing_file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "buffer/trace_buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {
namespace {

constexpr const char *kNotWritten = "the list of functions cannot be written into buffer_dir";

long open_list(const char *path, int flags) {
  return sys(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

// Appends a record, or nothing: if the file system has room for a part only, that part is removed
// again, since readers would not find later records behind it. 0, or an error.
long append_whole(long fd, const void *bytes, uint64_t count) {
  long end = sys(SYS_lseek, fd, 0, SEEK_END);
  long written = sys_growing(SYS_write, fd, bytes, count);
  bool is_whole = !sys_failed(written) && (uint64_t)written == count;
  if (!is_whole && !sys_failed(written) && !sys_failed(end))
    // If the kernel refuses, readers stop at the part of a record.
    sys_growing(SYS_ftruncate, fd, end);
  return is_whole ? 0 : sys_failed(written) ? written : -ENOSPC;
}

// Copies the list so far into a file of its own; returns a descriptor, or an error.
long copy_list(const Buffer &buffer, const char *path) {
  long from = open_list(buffer.maps_path, O_RDONLY);
  long bytes = sys_failed(from) ? 0 : sys(SYS_lseek, from, 0, SEEK_END);
  long at =
      sys_failed(bytes) || !bytes ? 0 : sys(SYS_mmap, 0, bytes, PROT_READ, MAP_PRIVATE, from, 0);
  if (!sys_failed(from))
    sys(SYS_close, from);
  const long results[] = {from == -ENOENT ? 0 : from, bytes, at};
  for (long result : results)
    if (sys_failed(result))
      return result;
  long to = open_list(path, O_WRONLY | O_CREAT | O_TRUNC);
  long error = !at || sys_failed(to) ? 0 : append_whole(to, reinterpret_cast<void *>(at), bytes);
  if (at)
    sys(SYS_munmap, at, bytes);
  if (!error)
    return to;
  sys(SYS_close, to);
  return error;
}

// Appends one record to NAME.maps. Fork children share the file, and may have other modules from
// now on: then the longer list is another file, which takes the name. Readers go on in it where
// they were.
Status append_map(Buffer &buffer, const nophook_map *map) {
  bool is_shared = has_forked();
  Text<656> copy;
  copy.add(buffer.maps_path).add(".tmp");
  long fd = is_shared ? copy_list(buffer, copy.c_str())
                      : open_list(buffer.maps_path, O_WRONLY | O_CREAT | O_APPEND);
  if (sys_failed(fd))
    return failure((int)-fd, kNotWritten);
  long result = append_whole(fd, map, map->bytes);
  sys(SYS_close, fd);
  if (is_shared && !result)
    result = sys(SYS_renameat, AT_FDCWD, copy.c_str(), AT_FDCWD, buffer.maps_path);
  if (is_shared && sys_failed(result))
    sys(SYS_unlinkat, AT_FDCWD, copy.c_str(), 0);
  buffer.listed_bytes += sys_failed(result) ? 0 : map->bytes;
  return sys_failed(result) ? failure((int)-result, kNotWritten) : Status{};
}

uint32_t next_id() {
  uint32_t end = 0;
  for (const Module *m = first_module(); m; m = m->next)
    if (uint32_t count = m->records.count(); count && m->first_id + count > end)
      end = m->first_id + count;
  return end;
}

Status list_module(Buffer &buffer, const Module *module) {
  uint32_t count = module->records.count();
  if (!count)
    return {};
  uint64_t path = text_length(module->path), path_bytes = round_up(path + 1, 4);
  const uint64_t names_at = sizeof(nophook_map) + path_bytes + (uint64_t)count * sizeof(uint32_t);
  uint64_t bytes = names_at;
  for (uint32_t i = 0; module->calls && i < count; i++)
    bytes += text_length(module->calls->names[i]) + 1;
  bytes = round_up(bytes, 4);
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
  char *name = record + names_at;
  for (uint32_t i = 0; module->calls && i < count; i++) {
    const uint64_t name_bytes = text_length(module->calls->names[i]) + 1;
    copy_bytes(name, module->calls->names[i], name_bytes);
    name += name_bytes;
  }
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

// Asks the kernel: the loader's list has a lock.
Status buffer_list_code(Buffer &buffer) {
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
  buffer.listed_ids = next_id();
  return {};
}

// The parent leaves that file as it was at the fork, except for records that it appended before its
// name was given to another file. So the size shows whether it is the same list.
bool buffer_inherit_list(const Buffer &buffer, const char *parents) {
  bool is_same = buffer.header && was_forked() && !buffer.number &&
                 (buffer.lists_code || buffer.tracer.event != NOPHOOK_EVENT_FUNCTION) &&
                 buffer.listed_ids == next_id();
  struct stat about;
  if (!is_same || sys_failed(sys(SYS_linkat, AT_FDCWD, parents, AT_FDCWD, buffer.maps_path, 0)))
    return false;
  if (!sys_failed(sys(SYS_newfstatat, AT_FDCWD, buffer.maps_path, &about, AT_SYMLINK_NOFOLLOW)) &&
      (uint64_t)about.st_size == buffer.listed_bytes)
    return true;
  sys(SYS_unlinkat, AT_FDCWD, buffer.maps_path, 0);
  return false;
}

} // namespace nophook
