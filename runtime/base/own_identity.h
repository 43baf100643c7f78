// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller's numbers, and whether a thread still lives. This is the one place of the runtime that
// asks the kernel for numbers of processes and threads, or about them.
//
// The obvious way, getpid() and tgkill(getpid(), tid, 0), is wrong in a vfork child. Its memory is
// its parent's, but getpid() is its own number, so every thread of the parent would look dead. The
// process whose memory this is has its number in a page that the kernel zeroes in a fork child. A
// vfork child finds a number there that is not its own, and asks for threads of its parent. Where
// it does not see its parent, in another PID namespace, it can prove nothing.
//
// A number means something only in its own PID namespace. A buffer's header therefore also has the
// namespace and the start time of its process (nophook/buffer.h), for readers elsewhere. /proc says
// both, for 30 us. A fork child mostly knows them without /proc:
//   - It began between the two handlers of fork. If these ran in the same clock tick, of 10 ms,
//     that is its start time.
//   - Its namespace is its parent's or one below it. In one below it sees neither its parent nor
//     the process that takes the parent's place, so getppid() is 0. If that is a number, the
//     namespace is the parent's.
// Both hold only if the handlers of this very fork have run. In a child of a bare clone() the page
// is zero, and it asks /proc.
//
// All functions but prepare_identity() may be called anywhere: in signal handlers, in the slow path
// of an event, in fork children.

#pragma once

#include <stdint.h>

namespace nophook {

// Before the first event, under the runtime's lock. `place` has kIdentityBytes that stay, and that
// a fork child finds zeroed; null: a page of its own is mapped. Each child of fork writes there, so
// the words of its first event are best placed beside it. Without memory, a vfork child is not
// recognised.
constexpr uint64_t kIdentityBytes = 64;
void prepare_identity(void *place);
// Facts for the fork handlers: in the thread that forks, the ones that the child will need; then in
// the child. The memory belongs to the handler, which has written to its page anyway.
struct Forking {
  uint64_t ticks;
  uint64_t pid_namespace; // 0: not known
};
void identity_before_fork(Forking *forking);
void identity_follows_fork(const Forking &forking);
// Whether this process has come from libc's fork(), so that the handlers have run.
bool was_forked();
// The time at which they ran in the child, by the CPU's counter; 0: it was not forked.
uint64_t forked_at();

// The process whose memory this is: in a vfork child the parent.
int32_t process_id();
// The calling thread; in a vfork child the child's number.
int32_t thread_id();
// The same on the path of an event: libc is asked once in a thread, and the kernel only where libc
// does not know it (in a child of a bare clone()).
int32_t own_thread_id();
// The thread whose stack and thread-local storage the caller has, as the owner of anything that
// lasts as long as these. A vfork child has those of its parent's thread that waits for it. kLent
// if libc does not show which that is.
int32_t storage_thread_id();
// A number that no thread has, and that is never proven to have ended.
constexpr int32_t kLent = -1;
// The same, for readers: instead of kLent the number of the process's first thread.
int32_t lasting_thread_id();
bool is_vfork_child();

// Whether the thread of the process whose memory this is is proven to have ended. A caller that
// cannot prove it gets false and takes nothing.
bool is_thread_gone(int32_t tid);

// The thing that belongs to the thread whose number is in `*owner` passes from `gone` to `mine` if
// `gone` is proven to have ended. A new thread may have been given the number of `gone`: it may
// take the same thing at any time, by an exchange of the number for itself. In between, the number
// is kClaimed. It stays so if the caller is a vfork child that is killed there, and in the child of
// a bare clone() that another thread makes there.
constexpr int32_t kClaimed = -2;
bool take_from_gone(int32_t *owner, int32_t gone, int32_t mine);

// Whether there is no such process in this one's PID namespace.
bool is_process_gone(int32_t pid);

// Does the same as raise(). No sandbox's filter of system calls refuses this to a thread for
// itself.
void signal_own_thread(int signal);

// The facts by which a reader outside finds the process again; zeroes where /proc cannot be read.
struct Birth {
  uint64_t start_ticks;   // field 22 of /proc/PID/stat
  uint64_t pid_namespace; // the inode of /proc/PID/ns/pid
};
Birth own_birth();
uint64_t own_pid_namespace(); // the namespace alone

} // namespace nophook
