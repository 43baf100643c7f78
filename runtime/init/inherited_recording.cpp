// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for a recorder's settings under the process's number and its ancestors'.

#include "init/inherited_recording.h"

#include "base/memory.h"
#include "base/own_identity.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace nophook {
namespace {

constexpr uint64_t kMostBytes = 128 << 10; // the kernel's limit for a word of the environment
constexpr int kMostAncestors = 64;

// Whether numbers in /proc are those of our PID namespace: another one's may be mounted there.
bool proc_is_ours() {
  ProcText stat;
  return read_proc("/proc/self/stat", stat) && number_at(stat, 10) == (uint64_t)process_id();
}

// The parent of a process, by /proc; 0: unknown.
uint64_t parent_of(uint64_t pid) {
  Text<32> path;
  ProcText stat;
  read_proc(path.add("/proc/").number(pid).add("/stat").c_str(), stat);
  const char *parent = stat_field(stat, 4);
  return parent ? number_at(parent, 10) : 0;
}

// Whether the settings are this user's or root's: in a folder that all users can write to, another
// one could make `follow`.
bool is_trusted(long folder) {
  struct stat about;
  return sys(SYS_newfstatat, folder, "", &about, AT_EMPTY_PATH) == 0 &&
         (about.st_uid == 0 || about.st_uid == (uid_t)sys(SYS_geteuid)) &&
         (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool read_file(Invitation *invitation) {
  auto *text = static_cast<char *>(map_pages(kMostBytes));
  if (!text)
    return false;
  long bytes = sys(SYS_read, invitation->file, text, kMostBytes - 1);
  const char *settings = text;
  invitation->session =
      bytes > 0 && bytes + 1 < (long)kMostBytes ? number_at(text, 10, &settings) : 0;
  invitation->settings = text;
  copy_bytes(text, settings, text_length(settings) + 1);
  return invitation->session != 0;
}

} // namespace

bool is_open(const Invitation &invitation) {
  constexpr int kSharedAtOnce = LOCK_SH | LOCK_NB;
  return sys(SYS_flock, invitation.file, kSharedAtOnce) == -EWOULDBLOCK;
}

void end_invitation(Invitation *invitation) {
  if (invitation->file >= 0)
    sys(SYS_close, invitation->file);
  unmap_pages(invitation->settings, kMostBytes);
  *invitation = {};
}

Invitation find_invitation(const char *folder) {
  Text<600> path;
  Invitation invitation;
  long follow = sys(SYS_openat, AT_FDCWD, path.add(folder).add("/follow").c_str(),
                    O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (sys_failed(follow))
    return invitation; // no recorder follows processes
  // The namespace is a part of the name: a process of another one, with the same folder, may have
  // our number.
  const uint64_t space = is_trusted(follow) ? own_birth().pid_namespace : 0;
  auto pid = space ? (uint64_t)process_id() : 0;
  for (int i = 0; i < kMostAncestors && pid > 1 && !invitation.session; i++) {
    Text<48> name;
    // O_NONBLOCK: where a FIFO has this name, the program must not wait for a writer.
    invitation.file = sys(SYS_openat, follow, name.number(space).add("-").number(pid).c_str(),
                          O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (invitation.file >= 0 && !(is_open(invitation) && read_file(&invitation)))
      end_invitation(&invitation);
    pid = i || proc_is_ours() ? parent_of(pid) : 0;
  }
  sys(SYS_close, follow);
  if (!invitation.session)
    end_invitation(&invitation);
  return invitation;
}

} // namespace nophook
