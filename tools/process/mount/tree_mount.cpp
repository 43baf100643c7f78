// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mounts by libfuse, and serves requests with a thread for each one that waits.

#include "process/mount/tree_mount.h"

#include "foundation/process.h"
#include "process/mount/host_needs.h"
#include "process/mount/tree_operations.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {

struct TreeMount::Operations : TreeOperations {
  using TreeOperations::TreeOperations;
};

namespace {

constexpr int kLookMs = 100;
constexpr std::chrono::seconds
    kPatience(60);                      // wait for clients with open files once the process is gone
constexpr unsigned kMostWaiting = 1000; // readers of trace_pipe

} // namespace

TreeMount::TreeMount(std::unique_ptr<Operations> operations, std::string folder)
    : operations_(std::move(operations)), folder_(std::move(folder)),
      end_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      process_((int)::syscall(SYS_pidfd_open, operations_->tree().pid(), 0)),
      is_gone_(!process_.valid() && errno == ESRCH) {}

TreeMount::~TreeMount() {
  if (!session_)
    return;
  fuse_session_unmount(session_);
  fuse_session_destroy(session_);
}

Result<std::unique_ptr<TreeMount>> TreeMount::create(std::unique_ptr<ControlTree> tree,
                                                     const std::string &folder,
                                                     std::unique_ptr<RecorderGate> gate) {
  int32_t pid = tree->pid();
  std::error_code error;
  std::unique_ptr<TreeMount> mount(
      new TreeMount(std::make_unique<Operations>(std::move(tree), std::move(gate)),
                    std::filesystem::absolute(folder, error).string()));
  std::string name = fmt::format("-ofsname=nophook:{},subtype=tracefs,nosuid,nodev,noexec", pid);
  char *words[] = {const_cast<char *>("nophook"), name.data(), nullptr};
  fuse_args arguments = FUSE_ARGS_INIT(2, words);
  mount->session_ =
      fuse_session_new(&arguments, &TreeOperations::kTable, sizeof TreeOperations::kTable,
                       static_cast<TreeOperations *>(mount->operations_.get()));
  fuse_opt_free_args(&arguments);
  if (!mount->session_)
    return error_at(folder, "no file system can be made");
  std::string missing = missing_device();
  if (missing.empty() && fuse_session_mount(mount->session_, mount->folder_.c_str()) != 0) {
    missing = missing_mount_helper(); // libfuse itself has printed any other reason
    if (missing.empty())
      return error_at(folder, "cannot be mounted on");
  }
  if (!missing.empty())
    return error_at(folder, "cannot be mounted on: " + missing);
  int fd = fuse_session_fd(mount->session_);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return mount;
}

Result<> TreeMount::leave_terminal() {
  if (fuse_daemonize(0) != 0)
    return system_error(folder_, "cannot be served in the background");
  return {};
}

// Removes the mount from the folder, for new clients; a client with an open file keeps it.
void TreeMount::detach() {
  if (::umount2(folder_.c_str(), MNT_DETACH) == 0 || errno != EPERM)
    return;
  pid_t child = ::fork();
  if (child == 0) {
    ::execlp("fusermount3", "fusermount3", "-u", "-z", "-q", folder_.c_str(), nullptr);
    ::_exit(1);
  }
  ::waitpid(child, nullptr, 0);
}

void TreeMount::end() {
  operations_->process_is_gone(); // ends all waits, since the end is ours
  uint64_t one = 1;
  // Fails only if it is full, and so readable.
  (void)!::write(end_.get(), &one, sizeof one);
}

// A thread that receives a later request knows of the releases before it.
int TreeMount::receive(fuse_buf *request, bool *is_release) {
  std::lock_guard guard(receive_mutex_);
  int bytes = fuse_session_receive_buf(session_, request);
  const auto *header = static_cast<const fuse_in_header *>(request->mem);
  *is_release = bytes >= (int)sizeof *header && !(request->flags & FUSE_BUF_IS_FD) &&
                header->opcode == FUSE_RELEASE;
  if (*is_release)
    operations_->release_begins();
  return bytes;
}

// Serves requests one by one. A request that waits keeps its thread, so another thread always
// listens. (libfuse's own loop ends its threads by pthread_cancel, which does not end well.)
void TreeMount::serve() {
  fuse_buf request = {};
  pollfd ready[] = {{fuse_session_fd(session_), POLLIN, 0}, {end_.get(), POLLIN, 0}};
  while (!fuse_session_exited(session_)) {
    ::poll(ready, 2, -1);
    if (ready[1].revents)
      break;
    bool is_release = false;
    int bytes = receive(&request, &is_release); // another thread may have been faster
    if (bytes == -EINTR || bytes == -EAGAIN)
      continue;
    if (bytes <= 0)
      break; // unmounted
    if (--listeners_ == 0)
      add_listener();
    fuse_session_process_buf(session_, &request);
    if (is_release)
      operations_->release_ends();
    listeners_++;
  }
  std::free(request.mem);
  end();
}

void TreeMount::add_listener() {
  std::lock_guard guard(mutex_);
  if (threads_.size() == kMostWaiting)
    return;
  listeners_++;
  sigset_t all, before; // signals are left to the caller
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  threads_.emplace_back([this] { serve(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void TreeMount::run(bool heeds_signals) {
  if (heeds_signals)
    fuse_set_signal_handlers(session_);
  add_listener();
  pollfd ready[] = {{end_.get(), POLLIN, 0}, {process_.get(), POLLIN, 0}};
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> until;
  // The folder is empty then. The mount ends when the last open file is closed.
  auto leave = [&] {
    operations_->process_is_gone();
    detach();
    ready[1].fd = -1;
    until = Clock::now() + kPatience;
  };
  if (is_gone_)
    leave();
  while (!fuse_session_exited(session_) && !ready[0].revents && !(until && Clock::now() > *until)) {
    ::poll(ready, 2, kLookMs); // a signal may come just before
    if (ready[1].revents)
      leave();
  }
  end();
  for (size_t i = 0;; i++) { // the last threads may have started others
    std::unique_lock guard(mutex_);
    if (i == threads_.size())
      break;
    std::thread &thread = threads_[i];
    guard.unlock();
    thread.join();
  }
  if (heeds_signals)
    fuse_remove_signal_handlers(session_);
}

} // namespace nophook
