// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fork inside open calls, as prefork servers make it: the child returns through frames that its
// parent has entered.

#include "torture.h"

#include <unistd.h>

namespace {

thread_local pid_t forked;

long fork_here() {
  forked = fork();
  if (forked == 0) {
    begin_child();
    expected(6, recursive(5), "recursive in a worker");
  }
  return 0;
}

} // namespace

void torture_prefork(std::mt19937_64 &random) {
  const long depth = (long)(random() % 20), failed = failures, unseen = bodies - seen;
  expected(depth + 1, around(depth, fork_here), "around");
  expected(unseen, bodies - seen, "bodies that were not seen around a fork");
  if (forked == 0)
    _exit(failures != failed);
  expect_child(forked, "a worker");
}
