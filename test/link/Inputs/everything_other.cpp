// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "everything.h"

// A class with a destructor per thread: its wrapper and its initialiser are functions too.
thread_local std::string per_thread = std::string("per") + "thread";

Both::Both() = default;
Both *Both::same() { return this; }
int Both::right() { return value; }
int Both::deep() { return value + 1; }

Task count_to(int n) {
  for (int i = 0; i < n; i++)
    co_yield i;
}

int from_other_file(int x) { return shared_inline(x) + shared_template(x); }
