// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that come and go while callers are in them. A callback that selected its functions
// before it came must be called for each of their bodies, from its constructor to its destructor.

#include "torture.h"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace {

struct Library {
  const char *file, *some_functions, *all_functions;
  long &bodies;
  std::shared_mutex lock; // shared: by a thread that is in it
  long (*entered)(long);

  void call() {
    std::shared_lock held(lock, std::try_to_lock);
    if (held && entered)
      expected(8, entered(7), "in_library");
  }
  void enter_by(void *symbol) {
    std::unique_lock held(lock);
    entered = reinterpret_cast<long (*)(long)>(symbol);
  }
};
#define LIBRARY(number)                                                                            \
  {"libtorture" #number ".so",                                                                     \
   "in_*:mod:libtorture" #number "*",                                                              \
   ":mod:libtorture" #number,                                                                      \
   library_bodies[number],                                                                         \
   {},                                                                                             \
   nullptr}
Library libraries[] = {LIBRARY(0), LIBRARY(1), LIBRARY(2), LIBRARY(3)};

struct Waiting {
  ftrace_ops ops;
  long calls;
};
GENERAL_REGS void on_call(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *) {
  COUNT(reinterpret_cast<Waiting *>(ops)->calls);
}

void *load(const Library &library) {
  void *loaded = dlopen(library.file, RTLD_NOW | RTLD_LOCAL);
  if (!loaded) {
    fmt::print("ftrace-torture: {}\n", dlerror());
    std::exit(2);
  }
  return loaded;
}

void use_and_unload(Library &library, void *loaded, std::mt19937_64 &random) {
  library.enter_by(dlsym(loaded, "in_library"));
  library.call();
  usleep(random() % 500);
  library.enter_by(nullptr);
  if (dlclose(loaded))
    fail(fmt::format("dlclose: {}", dlerror()));
  total_loads++;
}

// One ops sees the library come and go several times.
void load_and_unload(Library &library, std::mt19937_64 &random) {
  const unsigned long flags[] = {0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_GENERAL_REGS};
  Waiting waiting = {};
  waiting.ops.func = on_call;
  waiting.ops.flags = flags[random() % std::size(flags)];
  set_filter(&waiting.ops, random() % 2 ? library.some_functions : library.all_functions);
  const long before = library.bodies;
  const HandlerForks forks(random);
  bool waits = random() % 4;
  if (waits)
    must(register_ftrace_function(&waiting.ops), "register before dlopen");
  void *loaded = load(library);
  if (!waits)
    must(register_ftrace_function(&waiting.ops), "register after dlopen");
  use_and_unload(library, loaded, random);
  for (auto more = random() % 6; more; more--)
    use_and_unload(library, load(library), random);
  must(unregister_ftrace_function(&waiting.ops), "unregister after dlclose");
  if (waits)
    expected(library.bodies - before, waiting.calls, "calls of a library's functions");
  expected(bodies, seen, "calls in the thread that loads");
  ftrace_free_filter(&waiting.ops);
}

} // namespace

void call_library() {
  for (Library &each : libraries)
    each.call();
}

template <unsigned Number> void torture_library(std::mt19937_64 &random) {
  load_and_unload(libraries[Number], random);
}
template void torture_library<0>(std::mt19937_64 &);
template void torture_library<1>(std::mt19937_64 &);
template void torture_library<2>(std::mt19937_64 &);
template void torture_library<3>(std::mt19937_64 &);
