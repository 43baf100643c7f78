// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first readers of a process, made by several threads at the same time: each gets its own, and
// LLVM's registry stays a list with an end.

#include "machine/aarch64/instructions.h"
#include "machine/x86_64/instructions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kProcesses = 200;
constexpr unsigned kThreads = 4;

// The exit status of a process whose threads all begin by making a reader; a process that hangs is
// killed.
int with_readers() {
  alarm(20);
  std::atomic<unsigned> waiting = kThreads, made = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; i++)
    threads.emplace_back([&, i] {
      for (waiting--; waiting;)
        std::this_thread::yield();
      made += i % 2 ? nophook::aarch64::code_reader() != nullptr
                    : nophook::x86_64::code_reader() != nullptr;
    });
  for (std::thread &thread : threads)
    thread.join();
  return made == kThreads ? 0 : 1;
}

TEST(CodeReader, IsMadeByThreadsAtTheSameTime) {
  for (int i = 0; i < kProcesses; i++) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      _exit(with_readers());
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0) << "process " << i;
  }
}

} // namespace
