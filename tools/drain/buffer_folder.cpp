// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "drain/buffer_folder.h"

#include "drain/buffer_file.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace nophook {

namespace {

// Makes a folder of the user's own, or makes sure that it is one.
bool own_folder(const std::string &path) {
  if (::mkdir(path.c_str(), 0700) == 0)
    return true;
  struct stat st;
  return errno == EEXIST && ::lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode) &&
         st.st_uid == geteuid() && (st.st_mode & 0077) == 0;
}

// The path goes through the environment, where a space would end it.
bool usable(const std::string &path) {
  return path.find_first_of(" \t\n,") == std::string::npos && path.size() < 400;
}

std::vector<std::string> candidates() {
  std::vector<std::string> parents;
  const char *runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime && runtime[0] == '/' && usable(runtime))
    parents.push_back(std::string(runtime) + "/nophook");
  parents.push_back(fmt::format("/dev/shm/nophook-{}", geteuid()));
  parents.push_back(fmt::format("/tmp/nophook-{}", geteuid()));
  return parents;
}

} // namespace

std::vector<std::string> buffer_folders() {
  std::vector<std::string> folders;
  for (const std::string &parent : candidates()) {
    struct stat st;
    if (::lstat(parent.c_str(), &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
      continue;
    folders.push_back(parent);
    std::error_code error;
    for (std::filesystem::directory_iterator at(parent, error), end; !error && at != end;
         at.increment(error))
      if (at->is_directory(error))
        folders.push_back(at->path().string());
  }
  return folders;
}

Result<BufferFolder> BufferFolder::create() {
  BufferFolder folder;
  std::string last;
  for (const std::string &parent : candidates()) {
    if (!own_folder(parent)) {
      last = parent;
      continue;
    }
    std::string path = fmt::format("{}/record-{}-XXXXXX", parent, getpid());
    if (mkdtemp(path.data())) {
      folder.path_ = path;
      break;
    }
    last = parent;
  }
  if (folder.path_.empty())
    return error_at(last, "no folder for the buffers can be made here (it must be yours alone)");
  folder.lock_ = FileDescriptor(::open(folder.path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ::flock(folder.lock_.get(), LOCK_EX | LOCK_NB);
  NOPHOOK_TRY(folder.watch_.begin(folder.path_));
  return folder;
}

void remove_buffer(const std::string &path) {
  for (const char *suffix : kBufferSuffixes)
    ::unlink(beside_buffer(path, suffix).c_str());
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
  remove_buffer(buffer); // nobody else can know of it
  watch_.forget(buffer);
}

} // namespace nophook
