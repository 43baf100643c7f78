// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers paths as inodes, and passes each request to the control tree.

#include "process/mount/tree_operations.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace nophook {

namespace {

constexpr std::chrono::milliseconds kPause(10); // until the next look for events
constexpr double kKeptSeconds = 1;              // the kernel may keep an answer this long

std::string below(const std::string &folder, const std::string &name) {
  return folder.empty() ? name : folder + "/" + name;
}

} // namespace

// Uses a file, one request at a time and no longer than the call: after our reply the file may be
// released.
int64_t TreeOperations::of_file(Open &open, const std::function<int64_t(TreeFile &)> &use) {
  std::lock_guard guard(open.mutex);
  return use(*open.file);
}

TreeOperations::Node TreeOperations::node(fuse_ino_t number) {
  std::lock_guard guard(mutex_);
  return number - 1 < nodes_.size() ? nodes_[number - 1] : Node();
}

fuse_ino_t TreeOperations::number_of(const std::string &path, const ControlTree::Entry &entry) {
  std::lock_guard guard(mutex_);
  auto [at, is_new] = numbers_.try_emplace(path, nodes_.size() + 1);
  if (is_new)
    nodes_.push_back({path, entry});
  nodes_[at->second - 1].entry = entry;
  return at->second;
}

void TreeOperations::release_begins() {
  std::lock_guard guard(mutex_);
  releases_++;
}

void TreeOperations::release_ends() {
  std::lock_guard guard(mutex_);
  if (--releases_ == 0)
    released_.notify_all();
}

void TreeOperations::wait_for_releases() {
  std::unique_lock guard(mutex_);
  released_.wait(guard, [&] { return releases_ == 0; });
}

// Forgets a removed folder: a later one of the same name gets other numbers.
void TreeOperations::forget(const std::string &folder) {
  std::lock_guard guard(mutex_);
  std::erase_if(numbers_, [&](const auto &known) {
    return known.first == folder || known.first.starts_with(folder + "/");
  });
}

struct stat TreeOperations::attributes(fuse_ino_t number, const ControlTree::Entry &entry) const {
  struct stat st = {};
  st.st_ino = number;
  st.st_mode = entry.is_folder
                   ? S_IFDIR | 0700
                   : S_IFREG | (entry.can_read ? 0400u : 0) | (entry.can_write ? 0200u : 0);
  st.st_nlink = entry.is_folder ? 2 : 1;
  st.st_uid = geteuid();
  st.st_gid = getegid();
  return st;
}

void TreeOperations::lookup(fuse_req_t request, fuse_ino_t folder, const char *name) {
  TreeOperations &self = of(request);
  std::string path = self.node(folder).path;
  std::vector<ControlTree::Entry> entries;
  int64_t result = self.tree_->list(path, &entries);
  auto entry = std::ranges::find(entries, name, &ControlTree::Entry::name);
  if (result < 0 || entry == entries.end()) {
    fuse_reply_err(request, result < 0 ? (int)-result : ENOENT);
    return;
  }
  fuse_entry_param found = {};
  found.ino = self.number_of(below(path, name), *entry);
  found.attr = self.attributes(found.ino, *entry);
  found.attr_timeout = found.entry_timeout = kKeptSeconds;
  fuse_reply_entry(request, &found);
}

void TreeOperations::getattr(fuse_req_t request, fuse_ino_t number, fuse_file_info *) {
  TreeOperations &self = of(request);
  struct stat st = self.attributes(number, self.node(number).entry);
  fuse_reply_attr(request, &st, kKeptSeconds);
}

// truncate(2) does the same as opening with O_TRUNC; a change of the owner or the time is ignored.
void TreeOperations::setattr(fuse_req_t request, fuse_ino_t number, struct stat *, int what,
                             fuse_file_info *info) {
  TreeOperations &self = of(request);
  std::unique_ptr<TreeFile> file;
  int64_t result = 0;
  if (what & FUSE_SET_ATTR_SIZE && !info)
    result = self.tree_->open(self.node(number).path, O_WRONLY | O_TRUNC, &file);
  if (file)
    result = file->flush();
  if (result < 0)
    fuse_reply_err(request, (int)-result);
  else
    getattr(request, number, info);
}

void TreeOperations::open(fuse_req_t request, fuse_ino_t number, fuse_file_info *info) {
  TreeOperations &self = of(request);
  self.wait_for_releases();
  auto opened = std::make_unique<Open>();
  opened->opener = fuse_req_ctx(request)->pid;
  int64_t result = self.tree_->open(self.node(number).path,
                                    info->flags & (O_ACCMODE | O_TRUNC | O_APPEND), &opened->file);
  if (result < 0) {
    fuse_reply_err(request, (int)-result);
    return;
  }
  info->direct_io = 1;
  info->fh = reinterpret_cast<uint64_t>(opened.get());
  if (fuse_reply_open(request, info) == 0) // else the opener is gone, and no release follows
    // The kernel owns it now, by its number.
    (void)opened.release();
}

void TreeOperations::read(fuse_req_t request, fuse_ino_t number, size_t bytes, off_t offset,
                          fuse_file_info *info) {
  TreeOperations &self = of(request);
  if (self.gate_)
    self.gate_->before_read(self.node(number).path);
  Open &open = *reinterpret_cast<Open *>(info->fh);
  bool may_wait = !(info->flags & O_NONBLOCK);
  std::string text;
  for (;;) {
    int64_t result = of_file(
        open, [&](TreeFile &file) { return file.read((uint64_t)offset, bytes, may_wait, &text); });
    if (result >= 0) {
      fuse_reply_buf(request, text.data(), text.size());
      return;
    }
    if (result == -EAGAIN && self.is_gone_)
      result = -ENODEV;
    else if (result == -EAGAIN && may_wait)
      result = fuse_req_interrupted(request) ? -EINTR : 0;
    if (result < 0) {
      fuse_reply_err(request, (int)-result);
      return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

void TreeOperations::write(fuse_req_t request, fuse_ino_t number, const char *text, size_t bytes,
                           off_t, fuse_file_info *info) {
  TreeOperations &self = of(request);
  if (self.gate_)
    self.gate_->before_write(self.node(number).path, {text, bytes});
  Open &open = *reinterpret_cast<Open *>(info->fh);
  int64_t result = of_file(open, [&](TreeFile &file) {
    open.is_written = true;
    return file.write({text, bytes});
  });
  if (result < 0)
    fuse_reply_err(request, (int)-result);
  else
    fuse_reply_write(request, (size_t)result);
}

// Called at each close of a descriptor. The written text is applied then, and a shell waits for
// that. But before it writes, a shell duplicates the descriptor that it got, and closes the first
// one; and children that have the descriptor end. Neither may apply an edit that is still empty.
void TreeOperations::flush(fuse_req_t request, fuse_ino_t, fuse_file_info *info) {
  Open &open = *reinterpret_cast<Open *>(info->fh);
  bool is_openers = fuse_req_ctx(request)->pid == open.opener;
  int64_t result = of_file(open, [&](TreeFile &file) -> int64_t {
    bool is_done = open.is_written || (is_openers && open.is_flushed);
    open.is_flushed = open.is_flushed || is_openers;
    return is_done ? file.flush() : 0;
  });
  fuse_reply_err(request, (int)-std::min<int64_t>(result, 0));
}

// The kernel asks once, and expects a notice by `handle` when it should ask again. This thread
// checks until then, or until the file is closed.
void TreeOperations::poll(fuse_req_t request, fuse_ino_t number, fuse_file_info *info,
                          fuse_pollhandle *handle) {
  constexpr unsigned kReady = POLLIN | POLLRDNORM;
  TreeOperations &self = of(request);
  if (self.gate_) // a recorder that waits for events has begun
    self.gate_->before_read(self.node(number).path);
  Open &open = *reinterpret_cast<Open *>(info->fh);
  std::unique_lock lock(open.mutex);
  auto is_ready = [&] { return self.is_gone_ || open.file->is_ready(); };
  bool can_write = (info->flags & O_ACCMODE) != O_RDONLY;
  if (is_ready() || !handle) {
    fuse_reply_poll(request, (is_ready() ? kReady : 0) | (can_write ? POLLOUT | POLLWRNORM : 0));
    if (handle)
      fuse_pollhandle_destroy(handle);
    return;
  }
  bool is_watched = open.waiting;
  if (is_watched)
    fuse_pollhandle_destroy(open.waiting);
  open.waiting = handle;
  fuse_reply_poll(request, 0);
  if (is_watched)
    return;
  while (!open.changed.wait_for(lock, kPause, [&] { return open.is_closed; }) && !is_ready())
    ;
  if (!open.is_closed)
    fuse_lowlevel_notify_poll(open.waiting);
  fuse_pollhandle_destroy(std::exchange(open.waiting, nullptr));
  open.changed.notify_all();
}

void TreeOperations::release(fuse_req_t request, fuse_ino_t, fuse_file_info *info) {
  Open *open = reinterpret_cast<Open *>(info->fh);
  {
    std::unique_lock lock(open->mutex);
    open->is_closed = true;
    open->changed.notify_all();
    open->changed.wait(lock, [&] { return !open->waiting; });
  }
  delete open;
  fuse_reply_err(request, 0);
}

// As in tracefs, no file can be created.
void TreeOperations::create(fuse_req_t request, fuse_ino_t, const char *, mode_t,
                            fuse_file_info *) {
  fuse_reply_err(request, EACCES);
}

// Only instances can be made. The mode is ignored.
void TreeOperations::mkdir(fuse_req_t request, fuse_ino_t folder, const char *name, mode_t) {
  TreeOperations &self = of(request);
  int64_t result = self.tree_->make_folder(below(self.node(folder).path, name));
  if (result < 0)
    fuse_reply_err(request, (int)-result);
  else
    lookup(request, folder, name);
}

void TreeOperations::rmdir(fuse_req_t request, fuse_ino_t folder, const char *name) {
  TreeOperations &self = of(request);
  std::string path = below(self.node(folder).path, name);
  self.wait_for_releases();
  int64_t result = self.tree_->remove_folder(path);
  if (result >= 0)
    self.forget(path);
  fuse_reply_err(request, (int)-std::min<int64_t>(result, 0));
}

void TreeOperations::opendir(fuse_req_t request, fuse_ino_t number, fuse_file_info *info) {
  TreeOperations &self = of(request);
  auto entries = std::make_unique<std::vector<ControlTree::Entry>>();
  int64_t result = self.tree_->list(self.node(number).path, entries.get());
  if (result < 0) {
    fuse_reply_err(request, (int)-result);
    return;
  }
  entries->insert(entries->begin(), 2, {".", true, true, false});
  (*entries)[1].name = "..";
  info->fh = reinterpret_cast<uint64_t>(entries.get());
  if (fuse_reply_open(request, info) == 0)
    // The kernel owns it now, by its number.
    (void)entries.release();
}

void TreeOperations::readdir(fuse_req_t request, fuse_ino_t number, size_t bytes, off_t offset,
                             fuse_file_info *info) {
  const auto &entries = *reinterpret_cast<std::vector<ControlTree::Entry> *>(info->fh);
  std::string list(bytes, '\0');
  size_t used = 0;
  for (size_t i = (size_t)offset; i < entries.size(); i++) {
    struct stat st = of(request).attributes(number, entries[i]);
    size_t needed = fuse_add_direntry(request, list.data() + used, bytes - used,
                                      entries[i].name.c_str(), &st, (off_t)i + 1);
    if (needed > bytes - used)
      break;
    used += needed;
  }
  fuse_reply_buf(request, list.data(), used);
}

void TreeOperations::releasedir(fuse_req_t request, fuse_ino_t, fuse_file_info *info) {
  delete reinterpret_cast<std::vector<ControlTree::Entry> *>(info->fh);
  fuse_reply_err(request, 0);
}

const fuse_lowlevel_ops TreeOperations::kTable = [] {
  fuse_lowlevel_ops table = {};
  table.lookup = lookup;
  table.getattr = getattr;
  table.setattr = setattr;
  table.open = open;
  table.read = read;
  table.write = write;
  table.flush = flush;
  table.release = release;
  table.poll = poll;
  table.create = create;
  table.mkdir = mkdir;
  table.rmdir = rmdir;
  // As in the kernel's folder, no file can be removed.
  table.unlink = [](fuse_req_t request, fuse_ino_t, const char *) {
    fuse_reply_err(request, EPERM);
  };
  table.rename = [](fuse_req_t request, fuse_ino_t, const char *, fuse_ino_t, const char *,
                    unsigned) { fuse_reply_err(request, EPERM); };
  table.symlink = [](fuse_req_t request, const char *, fuse_ino_t, const char *) {
    fuse_reply_err(request, EPERM);
  };
  table.opendir = opendir;
  table.readdir = readdir;
  table.releasedir = releasedir;
  return table;
}();

} // namespace nophook
