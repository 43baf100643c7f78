// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries the folders of a user in turn, and lists the folders that a process may have used.

#include "process/drain/buffer_folder.h"

#include "foundation/checked_folder.h"
#include "foundation/identity.h"
#include "foundation/process_user.h"
#include "process/drain/buffer_file.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace nophook {

namespace {

bool is_read_only(const std::string &path) {
  struct statvfs fs;
  return ::statvfs(path.c_str(), &fs) != 0 || (fs.f_flag & ST_RDONLY);
}

// Makes a folder of the user's own, or checks that the existing one can be used.
bool own_folder(const std::string &path) {
  if (::mkdir(path.c_str(), 0700) == 0)
    return true;
  struct stat st;
  return errno == EEXIST && ::lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode) &&
         st.st_uid == geteuid() && (st.st_mode & 0777) == 0700 && !is_read_only(path);
}

// A folder's owner may exchange the files in it. With some settings of sudo, XDG_RUNTIME_DIR is
// another user's folder.
bool belongs_to(const std::string &path, uid_t user) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && st.st_uid == user;
}

// A path with a space is refused: it goes through the environment, where a space would end it.
bool usable(const std::string &path) {
  return path.find_first_of(" \t\n,") == std::string::npos && path.size() < 400;
}

// The parent folders that a process of this user considers, given its XDG_RUNTIME_DIR.
std::vector<std::string> candidates(uid_t user, std::string_view runtime) {
  std::vector<std::string> parents;
  if (runtime.starts_with('/') && usable(std::string(runtime)))
    parents.push_back(std::string(runtime) + "/nophook");
  parents.push_back(fmt::format("/dev/shm/nophook-{}", user));
  parents.push_back(fmt::format("/tmp/nophook-{}", user));
  return parents;
}

std::vector<std::string> candidates() {
  const char *runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool is_ours = runtime && belongs_to(runtime, geteuid());
  return candidates(geteuid(), is_ours ? runtime : "");
}

std::string g_added; // folder given by --dir

void add_folder(std::vector<std::string> *folders, const std::string &path) {
  if (!path.empty() && std::ranges::find(*folders, path) == folders->end())
    folders->push_back(path);
}

// Adds the user's folder in `parent`, and the recorders' folders in it.
void add_own(std::vector<std::string> *folders, const std::string &parent, uid_t user) {
  struct stat st;
  if (::lstat(parent.c_str(), &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != user)
    return;
  add_folder(folders, parent);
  std::error_code error;
  for (std::filesystem::directory_iterator at(parent, error), end; !error && at != end;
       at.increment(error))
    if (::lstat(at->path().c_str(), &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == user)
      add_folder(folders, at->path().string());
}

// The value of a variable in a list whose words end with `end`; empty: the list lacks it.
std::string_view value_in(std::string_view list, std::string_view name, char end) {
  while (!list.empty()) {
    std::string_view word = list.substr(0, list.find(end));
    if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
      return word.substr(name.size() + 1);
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  return {};
}

} // namespace

void add_buffer_folder(const std::string &path) {
  std::error_code error;
  g_added = std::filesystem::absolute(path, error).string();
}

std::vector<std::string> buffer_folders() {
  std::vector<std::string> folders;
  add_folder(&folders, g_added);
  for (const std::string &parent : candidates())
    add_own(&folders, parent, geteuid());
  return folders;
}

static bool is_same(const std::string &one, const std::string &other) {
  struct stat a, b;
  return ::stat(one.c_str(), &a) == 0 && ::stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

// A path that a process uses, as a path of ours: the process may see other mounts, or another root.
// A file that both can see has one name, which remains after the process's end.
static std::string seen_from_here(const std::string &process, const std::string &path) {
  const std::string theirs = process + "/root" + path;
  return is_same(theirs, path) || ::access(theirs.c_str(), F_OK) != 0 ? path : theirs;
}

// Adds the folders of the buffers that a process has mapped. The kernel holds up the process's
// mmap() and its page faults while it makes this list.
static void add_mapped(std::vector<std::string> *folders, const std::string &process) {
  std::string maps = read_small_file(process + "/maps");
  for (size_t at = 0; (at = maps.find(".buf\n", at)) != std::string::npos; at++) {
    size_t line = maps.rfind('\n', at) + 1, path = maps.find('/', line);
    add_folder(folders, seen_from_here(process, maps.substr(path, maps.rfind('/', at) - path)));
  }
}

// The environment is the one of the process's start, unless it may not be read or was overwritten.
std::vector<std::string> buffer_folders_of(int32_t pid) {
  std::vector<std::string> folders;
  add_folder(&folders, g_added);
  std::string process = fmt::format("/proc/{}", pid);
  std::string environment = read_small_file(process + "/environ");
  std::string_view settings = value_in(environment, "NOPHOOK", '\0');
  std::string folder(value_in(settings, "buffer_dir", ' '));
  if (!folder.empty() && !folder.starts_with('/'))
    folder = process + "/cwd/" + folder;
  else if (!folder.empty())
    folder = seen_from_here(process, folder);
  add_folder(&folders, folder);
  if (settings.empty())
    add_mapped(&folders, process);
  const std::optional<uid_t> user = process_user(pid), own = own_user_of_process(pid);
  std::string_view runtime = value_in(environment, "XDG_RUNTIME_DIR", '\0');
  if (user && !belongs_to(seen_from_here(process, std::string(runtime)), *user))
    runtime = "";
  if (user && own)
    for (const std::string &parent : candidates(*own, runtime))
      add_own(&folders, seen_from_here(process, parent), *user);
  for (const std::string &ours : buffer_folders())
    add_folder(&folders, ours);
  return folders;
}

// The limit matters in containers, where /dev/shm may have 64 KiB in all.
static bool has_room(const std::string &path) {
  constexpr uint64_t kLeastBytes = 4 << 20;
  struct statvfs st;
  return ::statvfs(path.c_str(), &st) == 0 && (uint64_t)st.f_bavail * st.f_frsize >= kLeastBytes;
}

// The folders for a new recording: the first ones are left out if they have no room and another one
// has.
static std::vector<std::string> roomy_candidates() {
  std::vector<std::string> parents = candidates();
  auto first = std::ranges::find_if(parents, own_folder);
  auto roomy = std::find_if(first, parents.end(), [](const std::string &parent) {
    return own_folder(parent) && has_room(parent);
  });
  if (roomy == first || roomy == parents.end())
    return parents;
  fmt::print(stderr, "nophook: {} has less than 4 MiB free: the buffers are in {}\n",
             printable(*first), printable(*roomy));
  return {roomy, parents.end()};
}

Result<BufferFolder> BufferFolder::create() {
  BufferFolder folder;
  std::string last;
  for (const std::string &parent : roomy_candidates()) {
    if (!own_folder(parent)) {
      last = parent;
      continue;
    }
    std::string path = fmt::format("{}/record-{}-XXXXXX", parent, own_number());
    if (mkdtemp(path.data())) {
      folder.path_ = path;
      break;
    }
    last = parent;
  }
  if (folder.path_.empty())
    return error_at(last,
                    "no folder for the buffers can be made here (it must belong to you alone)");
  folder.lock_ = FileDescriptor(::open(folder.path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ::flock(folder.lock_.get(), LOCK_EX | LOCK_NB);
  folder.watch_.begin(folder.path_);
  return folder;
}

void remove_buffer(const std::string &path) {
  const auto folder = CheckedFolder::of(path);
  if (!folder)
    return; // it is gone, with all of its contents
  const std::string name = name_in_folder(path);
  struct stat file;
  if (::fstatat(folder->descriptor(), name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  const AsOwner owner(*folder, file);
  for (const char *suffix : kBufferSuffixes)
    ::unlinkat(folder->descriptor(), beside_buffer(name, suffix).c_str(), 0);
}

BufferFolder::~BufferFolder() {
  if (path_.empty())
    return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

uint64_t BufferFolder::free_bytes() const {
  struct statvfs st;
  return ::statvfs(path_.c_str(), &st) == 0 ? (uint64_t)st.f_bavail * st.f_frsize : 0;
}

void BufferFolder::done_with(const std::string &buffer, bool) {
  remove_buffer(buffer); // no other process can know of it
  watch_.forget(buffer);
}

} // namespace nophook
