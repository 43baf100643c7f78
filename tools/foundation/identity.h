// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out whether a process, or a thread, still lives. Only this file of the tools asks the
// kernel about numbers of other processes.
//
// kill(pid, 0) asks about the process that has the number here and now. The process that wrote a
// buffer may live in another PID namespace (a container, `unshare -p`), where its number is another
// one; and numbers are reused. So a process is identified by its number, the PID namespace of the
// number, and its start time. If a doubt is left, the answer is kUnknown, and nothing is taken.
//
// Another user's process may write any number into its buffer, such as that of a process of root:
// root would read that one's memory map, stop its threads, and put "its" settings back. So for root
// the process is also one of the user whose file the buffer is, or has the file mapped: a daemon
// gives up its rights after it has made its buffer.

#pragma once

#include <nophook/buffer.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unordered_map>

namespace nophook {

enum class Life { kAlive, kGone, kUnknown };

// Our own number, for names that no other process of our namespace makes.
int32_t own_number();
// Sends a signal to a child of ours that has not been waited for: until then no other process gets
// its number.
void signal_child(int32_t pid, int signal);

// Whether no thread of the process runs any more: it is a zombie or gone. The number is one of our
// own namespace, which the user has given, or which a child of ours has.
bool process_is_gone(int32_t pid);

// The parent of a process; 0: it is gone.
int32_t parent_of(int32_t pid);
// The value of a line of /proc/PID/status; empty: there is none.
std::string status_field(int32_t pid, std::string_view name);

// A process by the name that it has for itself: its number in its PID namespace. A namespace of 0
// is not known, and taken for ours.
struct OwnName {
  uint64_t pid_namespace = 0;
  int32_t number = 0;
};
// The number of a process in our namespace; 0: there is none, or /proc does not show it.
int32_t number_here(const OwnName &name);
// Whether there is proven to be no such process.
bool is_gone(const OwnName &name);
// Whether the process that has this number here has that name for itself, as far as /proc shows it.
bool is_named(int32_t pid, const OwnName &name);

// The threads of a process that has this number here: the numbers that they have for themselves,
// and their folders in /proc.
std::unordered_map<int32_t, std::string> thread_folders(int32_t pid);

// The identity of the process that wrote a buffer.
class Owner {
public:
  Owner() = default;
  // Copies the process's names from the header. `file`: a descriptor of the buffer, whose inode the
  // kernel vouches for, while the process itself has written the header.
  Owner(const nophook_buffer &header, int file);

  Life life();
  bool is_gone() { return life() == Life::kGone; }
  // Whether the thread with this number in the process's namespace is proven to have ended. In
  // another namespace that takes that the thread, or its process, has been seen alive before.
  bool is_thread_gone(int32_t tid);

  // The process's number in our namespace; 0: unknown, or not there.
  int32_t number_here();
  // The folder in /proc of its thread with this number in the process's namespace, with a / at the
  // end; empty: not known, or the process has ended. In another namespace, a new thread may be
  // found 20 ms late.
  std::string thread_folder(int32_t tid);
  // Whether a child of ours with that number was it, as far as is known.
  bool had_number_here(int32_t pid) const;
  // Whether it is the same process, even if it has executed another program.
  bool is_same(const Owner &other) const;

private:
  bool find();
  bool is_it(int32_t number, bool is_elsewhere) const;
  bool may_have_written(int32_t number) const;
  void find_threads();

  int32_t pid_ = 0;
  uint64_t start_ticks_ = 0;
  uint64_t namespace_ = 0;
  uint64_t made_ns_ = 0; // time of the buffer's making, on CLOCK_MONOTONIC
  bool is_old_ = false;  // whether the writer is an older one that does not store its namespace
  uid_t user_ = 0;       // owner of the buffer's file
  dev_t device_ = 0;
  ino_t inode_ = 0;
  int32_t here_ = 0; // the process's number here, if it has been found
  bool is_proven_gone_ = false;
  // In another namespace: numbers of threads there, and here.
  std::unordered_map<int32_t, int32_t> threads_;
  std::chrono::steady_clock::time_point threads_found_;
};

} // namespace nophook
