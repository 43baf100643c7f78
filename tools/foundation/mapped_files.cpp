// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of mappings, and the handler of SIGBUS that reads it without a lock.

#include "foundation/mapped_files.h"

#include <csignal>
#include <cstring>
#include <mutex>
#include <unistd.h>

namespace nophook {
namespace {

// A mapping. It is never freed, since the handler may be reading it, but used again.
struct Mapping {
  Mapping *next;
  uintptr_t begin; // start address; 0: no file. Release: the other fields belong to it
  uintptr_t end;
  char path[1024]; // path of the file, cut
};
Mapping *g_mappings = nullptr; // release, when one is added; the handler acquires
std::mutex g_lock;             // lock of the threads that add and forget

const Mapping *find(uintptr_t address) {
  for (const Mapping *m = __atomic_load_n(&g_mappings, __ATOMIC_ACQUIRE); m; m = m->next)
    if (uintptr_t begin = __atomic_load_n(&m->begin, __ATOMIC_ACQUIRE);
        begin && address >= begin && address < m->end)
      return m;
  return nullptr;
}

void print(const char *text) {
  (void)!::write(STDERR_FILENO, text, strlen(text)); // a failed write cannot be reported
}

void on_bus_error(int signal, siginfo_t *info, void *) {
  const Mapping *file = find((uintptr_t)info->si_addr);
  if (!file) { // a fault of our own: handled as without the handler
    ::signal(signal, SIG_DFL);
    return;
  }
  print("nophook: ");
  print(file->path);
  print(": became shorter while it was read, or its file system has no room for it\n");
  ::_exit(1);
}

} // namespace

void report_shrunken_files() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

void know_mapping(const std::string &path, const void *at, uint64_t bytes) {
  std::lock_guard lock(g_lock);
  Mapping *mapping = g_mappings;
  while (mapping && mapping->begin)
    mapping = mapping->next;
  bool is_new = !mapping;
  if (is_new)
    mapping = new Mapping{g_mappings, 0, 0, {}};
  mapping->path[path.copy(mapping->path, sizeof mapping->path - 1)] = 0;
  mapping->end = (uintptr_t)at + bytes;
  __atomic_store_n(&mapping->begin, (uintptr_t)at, __ATOMIC_RELEASE);
  if (is_new)
    __atomic_store_n(&g_mappings, mapping, __ATOMIC_RELEASE);
}

void forget_mapping(const void *at) {
  std::lock_guard lock(g_lock);
  for (Mapping *mapping = g_mappings; mapping; mapping = mapping->next)
    if (mapping->begin == (uintptr_t)at)
      __atomic_store_n(&mapping->begin, 0, __ATOMIC_RELEASE);
}

} // namespace nophook
