// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder for the buffers of traced processes: memory that only the user can access.
//
// It is $XDG_RUNTIME_DIR/nophook, or else /dev/shm/nophook-UID. Both are tmpfs, so that
// events never wait for a disk. Each recording has a folder in it, which is removed with it.
// Arguments and names may be secrets: all folders are 0700, and a folder that another user has
// made in advance in /dev/shm is not used. A recorder holds the flock of its folder: a folder
// without a lock belongs to a recorder that was killed.

#pragma once

#include "foundation/file.h"
#include "foundation/result.h"
#include "process/drain/buffer_source.h"
#include "process/drain/buffer_watch.h"

#include <string>
#include <vector>

namespace nophook {

// The existing folders of this user that contain buffers, recorders' folders among them.
std::vector<std::string> buffer_folders();

// The same, after the folders of a process, which may have others: by buffer_dir, XDG_RUNTIME_DIR
// or its user.
std::vector<std::string> buffer_folders_of(int32_t pid);

// Makes a folder the first one of both lists (--dir).
void add_buffer_folder(const std::string &path);

// Removes a buffer and the files that belong to it.
void remove_buffer(const std::string &path);

class BufferFolder : public BufferSource {
public:
  static Result<BufferFolder> create();

  BufferFolder(BufferFolder &&other) noexcept
      : path_(std::exchange(other.path_, "")), lock_(std::move(other.lock_)),
        watch_(std::move(other.watch_)) {}
  BufferFolder &operator=(BufferFolder &&) = delete;
  ~BufferFolder() override;

  const std::string &path() const { return path_; } // without spaces
  // The words of NOPHOOK that make processes put their buffers here, and no other folder's.
  std::string marker() const { return "buffer_dir=" + path_ + " "; }

  // The largest number of bytes that buffers can take here.
  uint64_t free_bytes() const;

  // Becomes readable when there may be a new buffer; -1 before start_inotify().
  int watch() const override { return watch_.descriptor(); }
  Result<> start_inotify() { return watch_.start_inotify(); }

  std::vector<std::string> new_buffers() override { return watch_.new_buffers(); }
  void done_with(const std::string &buffer, bool gone) override;

private:
  BufferFolder() = default;

  std::string path_;
  FileDescriptor lock_;
  BufferWatch watch_;
};

} // namespace nophook
