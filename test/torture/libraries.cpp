// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that comes and goes while callers are in it. A callback that selected its functions before
// it came must be called for each of their bodies, from its constructor to its destructor.

#include "torture.h"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

static std::shared_mutex library_lock; // shared: by a thread that is in it
static long (*entered)(long);

void call_library() {
  std::shared_lock held(library_lock, std::try_to_lock);
  if (held && entered)
    expected(8, entered(7), "in_library");
}

static void enter_by(void *symbol) {
  std::unique_lock held(library_lock);
  entered = reinterpret_cast<long (*)(long)>(symbol);
}

struct Waiting {
  ftrace_ops ops;
  long calls;
};
GENERAL_REGS static void on_call(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *) {
  COUNT(reinterpret_cast<Waiting *>(ops)->calls);
}

void torture_library(std::mt19937_64 &random) {
  const unsigned long flags[] = {0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_GENERAL_REGS};
  Waiting waiting = {};
  waiting.ops.func = on_call;
  waiting.ops.flags = flags[random() % std::size(flags)];
  set_filter(&waiting.ops, random() % 2 ? "in_*:mod:libtorture*" : ":mod:libtorture");
  const long before = library_bodies;
  const HandlerForks forks(random);
  bool waits = random() % 4;
  if (waits)
    must(register_ftrace_function(&waiting.ops), "register before dlopen");
  void *library = dlopen("libtorture.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fmt::print("ftrace-torture: {}\n", dlerror());
    std::exit(2);
  }
  if (!waits)
    must(register_ftrace_function(&waiting.ops), "register after dlopen");
  enter_by(dlsym(library, "in_library"));
  call_library();
  usleep(random() % 500);
  enter_by(nullptr);
  if (dlclose(library))
    fail(fmt::format("dlclose: {}", dlerror()));
  must(unregister_ftrace_function(&waiting.ops), "unregister after dlclose");
  if (waits)
    expected(library_bodies - before, waiting.calls, "calls of a library's functions");
  expected(bodies, seen, "calls in the thread that loads");
  ftrace_free_filter(&waiting.ops);
  total_loads++;
}
