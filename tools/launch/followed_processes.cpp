// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/followed_processes.h"

#include "base/identity.h"
#include "drain/buffer_folder.h"
#include "drain/clocks.h"
#include "drain/shared_buffer.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// Another recorder that ends may remove the folder before we have something in it.
constexpr int kTries = 100;

// No other recorder's, not even one's that had our number.
uint64_t new_session() {
  return (uint64_t)own_number() << 40 | (read_clocks().monotonic_ns & ((uint64_t{1} << 40) - 1));
}

// Files that root makes in another user's folder belong to that user. In a user namespace's own
// file system root outside has no number, and could make none. Only of the calling thread.
class AsOwnerOf {
public:
  explicit AsOwnerOf(const std::string &folder) {
    struct stat about;
    is_root_ = geteuid() == 0 && ::stat(folder.c_str(), &about) == 0;
    if (is_root_) {
      ::setfsgid(about.st_gid);
      ::setfsuid(about.st_uid);
    }
  }
  AsOwnerOf(const AsOwnerOf &) = delete;
  AsOwnerOf &operator=(const AsOwnerOf &) = delete;
  ~AsOwnerOf() {
    if (!is_root_)
      return;
    ::setfsuid(geteuid());
    ::setfsgid(getegid());
  }

private:
  bool is_root_;
};

// Empty: the process does not know its namespace, so it looks for nothing.
std::string follow_path(const std::string &folder, const nophook_buffer &header) {
  return header.pid_namespace
             ? fmt::format("{}/follow/{}-{}", folder, header.pid_namespace, header.pid)
             : std::string();
}

} // namespace

FollowedProcesses::FollowedProcesses(int32_t pid, const std::string &buffer)
    : pid_(pid), folder_(std::filesystem::path(buffer).parent_path()), session_(new_session()) {
  watch_.know(buffer);
  if (auto own = SharedBuffer::open(buffer))
    path_ = follow_path(folder_, own->header());
}

Result<> FollowedProcesses::begin(const std::string &settings) {
  watch_.begin(folder_);
  NOPHOOK_TRY(watch_.start_inotify());
  if (path_.empty())
    return {};
  const AsOwnerOf owner(folder_);
  std::string unfinished = fmt::format("{}.{}", path_, own_number());
  ::unlink(unfinished.c_str()); // of a recorder that was killed
  for (int i = 0; i < kTries; i++) {
    // It may be there; if not, open() fails.
    (void)::mkdir((folder_ + "/follow").c_str(), 0700);
    file_.reset(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file_.valid() || errno != ENOENT)
      break;
  }
  std::string text = fmt::format("{}{}", session_, settings);
  if (!file_.valid() || ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 ||
      !write_all(file_.get(), text.data(), text.size()) ||
      ::rename(unfinished.c_str(), path_.c_str()) != 0)
    return system_error(path_, "cannot be written");
  return {};
}

void FollowedProcesses::end() {
  if (!file_.valid())
    return;
  for (const std::string &link : links_)
    ::unlink(link.c_str());
  ::unlink(path_.c_str());
  ::rmdir((folder_ + "/follow").c_str()); // unless another recorder has something there
  file_.reset();
}

std::vector<std::string> FollowedProcesses::new_buffers() {
  std::vector<std::string> ours;
  for (const std::string &path : watch_.new_buffers()) {
    auto buffer = SharedBuffer::open(path);
    if (!buffer || buffer->header().session != session_ || buffer->header().snapshot)
      continue;
    // A program that it will execute may find us no more by its parent, which may be gone then.
    const int32_t pid = buffer->owner().number_here();
    if (pid && pid != pid_)
      children_.insert(pid);
    const AsOwnerOf owner(folder_);
    std::string link = follow_path(folder_, buffer->header());
    if (file_.valid() && !link.empty() && link != path_ && links_.insert(link).second)
      // Refused, a program of its is found by its ancestors alone.
      (void)!::link(path_.c_str(), link.c_str());
    ours.push_back(path);
  }
  return ours;
}

void FollowedProcesses::done_with(const std::string &buffer, bool gone) {
  if (gone)
    remove_buffer(buffer);
}

} // namespace nophook
