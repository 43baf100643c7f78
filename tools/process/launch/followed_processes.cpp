// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves a file with the settings in the folder, under the name that the program looks for.

#include "process/launch/followed_processes.h"

#include "foundation/identity.h"
#include "process/drain/buffer_folder.h"
#include "process/drain/clocks.h"
#include "process/drain/shared_buffer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// Another recorder that ends may remove the folder before we have put a file into it.
constexpr int kTries = 100;
constexpr char kFollow[] = "follow";

// A number that no other recorder has, not even a former one with our process number.
uint64_t new_session() {
  return (uint64_t)own_number() << 40 | (read_clocks().monotonic_ns & ((uint64_t{1} << 40) - 1));
}

// Empty: the process does not know its namespace, so it looks for no file.
std::string follow_name(const nophook_buffer &header) {
  return header.pid_namespace ? fmt::format("{}-{}", header.pid_namespace, header.pid)
                              : std::string();
}

} // namespace

FollowedProcesses::FollowedProcesses(const std::string &buffer, const CheckedFolder &folder)
    : folder_(folder), session_(new_session()) {
  watch_.know(buffer);
  if (auto own = SharedBuffer::open(buffer))
    name_ = follow_name(own->header());
}

// Opens the folder `follow` in it, which must be no link and have the same owner.
Result<> FollowedProcesses::open_follow() {
  const int folder = folder_.descriptor();
  struct stat about;
  do {
    // It may exist already; if not, openat() fails.
    (void)::mkdirat(folder, kFollow, 0700);
    follow_.reset(::openat(folder, kFollow, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  } while (!follow_.valid() && errno == ENOENT && ++tries_ < kTries);
  const std::string path = folder_.path() + "/" + kFollow;
  if (!follow_.valid() || ::fstat(follow_.get(), &about) != 0)
    return system_error(path, "cannot be opened");
  if (about.st_uid != folder_.owner() || (about.st_mode & 022))
    return error_at(path, "belongs to another user, or others may write to it: remove it");
  return {};
}

Result<> FollowedProcesses::begin(const std::string &settings) {
  watch_.begin(folder_.entry(""));
  NOPHOOK_TRY(watch_.start_inotify());
  if (name_.empty())
    return {};
  const AsOwner owner(folder_);
  const std::string unfinished = fmt::format("{}.{}", name_, own_number());
  do {
    NOPHOOK_TRY(open_follow());
    ::unlinkat(follow_.get(), unfinished.c_str(), 0); // left by a recorder that was killed
    file_.reset(
        ::openat(follow_.get(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  } while (!file_.valid() && errno == ENOENT && ++tries_ < kTries);
  std::string text = fmt::format("{}{}", session_, settings);
  if (!file_.valid() || ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 ||
      !write_all(file_.get(), text.data(), text.size()) ||
      ::renameat(follow_.get(), unfinished.c_str(), follow_.get(), name_.c_str()) != 0)
    return system_error(folder_.path() + "/" + kFollow, "cannot be written to");
  return {};
}

void FollowedProcesses::end() {
  if (!file_.valid())
    return;
  const AsOwner owner(folder_);
  for (const std::string &link : links_)
    ::unlinkat(follow_.get(), link.c_str(), 0);
  ::unlinkat(follow_.get(), name_.c_str(), 0);
  // Fails if another recorder has a file there.
  (void)::unlinkat(folder_.descriptor(), kFollow, AT_REMOVEDIR);
  file_.reset();
}

std::vector<std::string> FollowedProcesses::new_buffers() {
  std::vector<std::string> ours;
  for (const std::string &path : watch_.new_buffers()) {
    auto buffer = SharedBuffer::open(path);
    if (!buffer || buffer->header().session != session_ || buffer->header().snapshot)
      continue;
    // A program that it executes later may not find us by its parent, which may be gone then.
    const int32_t pid = buffer->owner().number_here();
    if (pid)
      children_.insert(pid);
    const AsOwner owner(folder_);
    std::string link = follow_name(buffer->header());
    if (file_.valid() && !link.empty() && link != name_ && links_.insert(link).second)
      // If this fails, its programs find us by their ancestors alone.
      (void)!::linkat(follow_.get(), name_.c_str(), follow_.get(), link.c_str(), 0);
    ours.push_back(path);
  }
  return ours;
}

void FollowedProcesses::done_with(const std::string &buffer, bool gone) {
  if (gone)
    remove_buffer(buffer);
}

} // namespace nophook
