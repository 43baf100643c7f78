// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow variables: a table from <address, number> to memory.
//
// klp_shadow_get() is on the path of patched functions, and in signal handlers, so it takes no
// lock. The kernel frees an entry after a grace period of RCU. Here an entry is never freed: it
// goes to a list of free ones, and may come back in another chain while a reader stands on it. Each
// change of a chain therefore makes the table's number of changes odd before and even behind it
// (a seqlock). A reader that has met a change begins again. A writer blocks signals in between: no
// reader waits for its own thread.
//
// The data is the program's, by malloc(): the caller frees it when no thread uses it any more.

#include <livepatch.h>

#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/signals.h"

#include <stdlib.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

namespace nophook {
namespace {

struct Shadow {
  Shadow *next; // the next one in its chain, or among the free ones
  void *obj;
  unsigned long id;
  void *data;
};

constexpr unsigned kChainBits = 12; // the kernel's number
constexpr uint32_t kEntriesOfChunk = 1024;

Shadow **g_chains = nullptr; // published with release, never freed
Shadow *g_free = nullptr;    // under the lock
// Odd while a chain changes. The reader's loads pair with the writer's fences.
uint64_t g_changes = 0;

Shadow **chain_of(Shadow **chains, const void *obj) {
  // Fibonacci hashing, as the kernel's hash_long().
  return chains + (reinterpret_cast<uint64_t>(obj) * 0x61c8864680b583eb >> (64 - kChainBits));
}

class Change {
public:
  Change() {
    __atomic_store_n(&g_changes, g_changes + 1, __ATOMIC_RELAXED);
    // Pairs with the reader's fence: the number is odd before the change.
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }
  ~Change() {
    // Pairs with the reader's first load.
    __atomic_store_n(&g_changes, g_changes + 1, __ATOMIC_RELEASE);
  }
  Change(const Change &) = delete;
  Change &operator=(const Change &) = delete;

private:
  BlockSignals block_;
};

// Finds an entry, under the lock.
Shadow **find(const void *obj, unsigned long id) {
  if (!g_chains)
    return nullptr;
  Shadow **at = chain_of(g_chains, obj);
  while (*at && ((*at)->obj != obj || (*at)->id != id))
    at = &(*at)->next;
  return *at ? at : nullptr;
}

bool has_free_entry() {
  if (!g_chains) {
    void *chains = map_pages(sizeof(Shadow *) << kChainBits);
    __atomic_store_n(&g_chains, static_cast<Shadow **>(chains), __ATOMIC_RELEASE);
  }
  if (!g_free) {
    auto *chunk = static_cast<Shadow *>(map_pages(kEntriesOfChunk * sizeof(Shadow)));
    for (uint32_t i = 0; chunk && i < kEntriesOfChunk; i++) {
      chunk[i].next = g_free;
      g_free = &chunk[i];
    }
  }
  return g_chains && g_free;
}

void add(void *obj, unsigned long id, void *data) {
  Shadow *entry = g_free;
  g_free = entry->next;
  Shadow **chain = chain_of(g_chains, obj);
  Change change;
  __atomic_store_n(&entry->obj, obj, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->id, id, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->data, data, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->next, *chain, __ATOMIC_RELAXED);
  __atomic_store_n(chain, entry, __ATOMIC_RELEASE);
}

// Removes the entry, and returns its data, which no reader finds any more.
void *remove(Shadow **at) {
  Shadow *entry = *at;
  void *data = entry->data;
  {
    Change change;
    __atomic_store_n(at, entry->next, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->next, g_free, __ATOMIC_RELAXED);
    g_free = entry;
  }
  return data;
}

void end(Shadow **at, klp_shadow_dtor_t dtor) {
  void *obj = (*at)->obj, *data = remove(at);
  if (dtor)
    dtor(obj, data);
  ::free(data);
}

// Does the work of klp_shadow_alloc; `is_new`: false if there was one. As in the kernel, memory is
// allocated before the lock is taken, and given back if another thread was quicker.
void *get_or_alloc(void *obj, unsigned long id, size_t size, klp_shadow_ctor_t ctor,
                   void *ctor_data, bool *is_new) {
  *is_new = false;
  if (void *data = klp_shadow_get(obj, id))
    return data;
  if (must_not_lock())
    return nullptr;
  void *data = ::calloc(1, size ? size : 1), *found = nullptr;
  if (!data)
    return nullptr;
  int error = 0;
  {
    RuntimeLock lock;
    if (Shadow **at = find(obj, id)) {
      found = (*at)->data;
    } else if (!has_free_entry()) {
      error = 1;
    } else {
      error = ctor ? ctor(obj, data, ctor_data) : 0;
      if (!error)
        add(obj, id, data);
    }
  }
  if (found || error)
    ::free(data);
  else
    *is_new = true;
  return found ? found : error ? nullptr : data;
}

} // namespace
} // namespace nophook

using namespace nophook;

NOPHOOK_API void *klp_shadow_get(void *obj, unsigned long id) {
  Shadow **chains = __atomic_load_n(&g_chains, __ATOMIC_ACQUIRE);
  if (!chains)
    return nullptr;
  for (;;) {
    const uint64_t changes = __atomic_load_n(&g_changes, __ATOMIC_ACQUIRE);
    if (changes & 1)
      continue; // another thread is changing a chain, for a few stores
    Shadow *entry = __atomic_load_n(chain_of(chains, obj), __ATOMIC_ACQUIRE);
    void *data = nullptr;
    while (entry && __atomic_load_n(&g_changes, __ATOMIC_RELAXED) == changes) {
      if (__atomic_load_n(&entry->obj, __ATOMIC_RELAXED) == obj &&
          __atomic_load_n(&entry->id, __ATOMIC_RELAXED) == id) {
        data = __atomic_load_n(&entry->data, __ATOMIC_RELAXED);
        break;
      }
      entry = __atomic_load_n(&entry->next, __ATOMIC_ACQUIRE);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE); // pairs with the writer's first fence
    if (__atomic_load_n(&g_changes, __ATOMIC_RELAXED) == changes)
      return data;
  }
}

NOPHOOK_API void *klp_shadow_alloc(void *obj, unsigned long id, size_t size, klp_shadow_ctor_t ctor,
                                   void *ctor_data) {
  bool is_new;
  void *data = get_or_alloc(obj, id, size, ctor, ctor_data, &is_new);
  if (data && !is_new) {
    LogText line;
    log_line(line.add("livepatch: the shadow variable <")
                 .hex(reinterpret_cast<uint64_t>(obj))
                 .add(", ")
                 .hex(id)
                 .add("> exists already; klp_shadow_alloc() makes no second one"));
  }
  return is_new ? data : nullptr;
}

NOPHOOK_API void *klp_shadow_get_or_alloc(void *obj, unsigned long id, size_t size,
                                          klp_shadow_ctor_t ctor, void *ctor_data) {
  bool is_new;
  return get_or_alloc(obj, id, size, ctor, ctor_data, &is_new);
}

NOPHOOK_API void klp_shadow_free(void *obj, unsigned long id, klp_shadow_dtor_t dtor) {
  if (must_not_lock())
    return;
  RuntimeLock lock;
  if (Shadow **at = find(obj, id))
    end(at, dtor);
}

NOPHOOK_API void klp_shadow_free_all(unsigned long id, klp_shadow_dtor_t dtor) {
  if (must_not_lock())
    return;
  RuntimeLock lock;
  for (uint32_t i = 0; g_chains && i < 1u << kChainBits; i++)
    for (Shadow **at = g_chains + i; *at;)
      if ((*at)->id == id)
        end(at, dtor);
      else
        at = &(*at)->next;
}
