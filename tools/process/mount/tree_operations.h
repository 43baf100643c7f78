// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The requests that the kernel makes of the control tree as a file system. They come by libfuse's
// low-level interface, since a read that waits has to see that its reader was interrupted. Each
// request has a thread of its own as long as it waits.

#pragma once

#include "process/control/tree.h"
#include "process/mount/recorder_gate.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

namespace nophook {

class TreeOperations {
public:
  // `gate` may be null.
  TreeOperations(std::unique_ptr<ControlTree> tree, std::unique_ptr<RecorderGate> gate)
      : tree_(std::move(tree)), gate_(std::move(gate)) {
    nodes_.push_back({"", {"", true, true, false}});
  }

  static const fuse_lowlevel_ops kTable; // its functions take `this` from the request

  ControlTree &tree() { return *tree_; }

  // Called around the release of a file. A close does not wait for the release, but a later open or
  // rmdir does: all earlier releases are over by then.
  void release_begins();
  void release_ends();

  // Ends the wait of readers with ENODEV.
  void process_is_gone() {
    is_gone_ = true;
    if (gate_)
      gate_->open();
  }

private:
  struct Node {
    std::string path;
    ControlTree::Entry entry;
  };
  struct Open {
    std::mutex mutex; // guards all members below
    std::unique_ptr<TreeFile> file;
    pid_t opener = 0;
    bool is_written = false;            // text has been written
    bool is_flushed = false;            // at least once by the client that has opened it
    std::condition_variable changed;    // signals a change of the two below
    fuse_pollhandle *waiting = nullptr; // a client's poll, for which one of our threads looks
    bool is_closed = false;
  };

  static TreeOperations &of(fuse_req_t request) {
    return *static_cast<TreeOperations *>(fuse_req_userdata(request));
  }
  static int64_t of_file(Open &open, const std::function<int64_t(TreeFile &)> &use);
  Node node(fuse_ino_t number);
  void wait_for_releases();
  void forget(const std::string &folder);
  fuse_ino_t number_of(const std::string &path, const ControlTree::Entry &entry);
  struct stat attributes(fuse_ino_t number, const ControlTree::Entry &entry) const;

  static void lookup(fuse_req_t request, fuse_ino_t folder, const char *name);
  static void getattr(fuse_req_t request, fuse_ino_t number, fuse_file_info *info);
  static void setattr(fuse_req_t request, fuse_ino_t number, struct stat *stat, int what,
                      fuse_file_info *info);
  static void open(fuse_req_t request, fuse_ino_t number, fuse_file_info *info);
  static void read(fuse_req_t request, fuse_ino_t number, size_t bytes, off_t offset,
                   fuse_file_info *info);
  static void write(fuse_req_t request, fuse_ino_t number, const char *text, size_t bytes,
                    off_t offset, fuse_file_info *info);
  static void flush(fuse_req_t request, fuse_ino_t number, fuse_file_info *info);
  static void release(fuse_req_t request, fuse_ino_t number, fuse_file_info *info);
  static void poll(fuse_req_t request, fuse_ino_t number, fuse_file_info *info,
                   fuse_pollhandle *handle);
  static void create(fuse_req_t request, fuse_ino_t folder, const char *name, mode_t mode,
                     fuse_file_info *info);
  static void mkdir(fuse_req_t request, fuse_ino_t folder, const char *name, mode_t mode);
  static void rmdir(fuse_req_t request, fuse_ino_t folder, const char *name);
  static void opendir(fuse_req_t request, fuse_ino_t number, fuse_file_info *info);
  static void readdir(fuse_req_t request, fuse_ino_t number, size_t bytes, off_t offset,
                      fuse_file_info *info);
  static void releasedir(fuse_req_t request, fuse_ino_t number, fuse_file_info *info);

  std::unique_ptr<ControlTree> tree_;
  std::unique_ptr<RecorderGate> gate_;
  std::atomic<bool> is_gone_ = false;
  std::mutex mutex_; // guards all members below
  std::condition_variable released_;
  uint32_t releases_ = 0;   // releases that have come and are not over
  std::vector<Node> nodes_; // by number - 1; a tree has some hundreds, and they stay
  std::map<std::string, fuse_ino_t> numbers_; // of existing files, by path
};

} // namespace nophook
