// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter: the chosen functions, as text and as a set. The two filters of an ops, and those of the
// tracers, have this form.
//
// The set decides. The text (rules) is kept for libraries that are loaded later: they are compared
// with it when they are loaded.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "ops/hash.h"
#include "sites/module.h"

namespace nophook {

class RuleBatch;

// One past the highest id of a function so far.
uint32_t id_limit();

// A filter. All of this is cold code under the runtime's lock. A change that fails half-way leaves
// half of it. A caller that needs all or nothing changes a copy and swaps.
class Filter {
public:
  enum class Misses : uint8_t { kAllowed, kRefused };

  Filter() = default;
  Filter(const Filter &) = delete;
  Filter &operator=(const Filter &) = delete;
  ~Filter() { free_hash(hash_); }

  // Replaces (`reset`) or extends the filter by the tokens in `text`, `bytes` long, separated by
  // `separators`; include/ftrace.h has the grammar. Errors: EINVAL (a token matches nothing, if
  // misses are refused: `*wrong` is its offset in `text`, the tokens before it hold, those behind
  // it do not), ENOMEM.
  Status change(const char *text, uint64_t bytes, bool reset, const char *separators, Misses misses,
                uint64_t *wrong = nullptr);

  // The same for addresses in functions. Errors: EINVAL (no function there), ENOMEM.
  Status change_ips(const unsigned long *ips, uint32_t count, bool remove, bool reset);

  Status copy(const Filter &from);
  void swap(Filter &other);
  void clear();    // empties the filter, and gives all memory back
  void set_free(); // empties the filter, and keeps room for the next rules

  // Whether nothing has been set: then a filter lets all functions pass, a notrace none.
  bool is_empty() const { return rules_.empty() && !hash_; }
  const FtraceHash *hash() const { return hash_; }

  // Compares a module that has just been loaded with the rules. Errors: ENOMEM.
  Status take_in(Module *module);
  // Takes the functions of a module that is unloaded out of the set.
  void forget(const Module *module);

  // Calls visit(context, text) for each pattern that has matched nothing so far: it waits for a
  // library.
  void each_waiting(void (*visit)(void *context, const char *text), void *context);

  // One log line for each pattern that has matched nothing so far.
  void report_misses(const char *folder, const char *file);

private:
  template <class Visit> void each_rule(Visit visit);
  Status make_room(uint32_t ids);
  Status add(const RuleBatch &batch, uint32_t rule, Misses misses);
  bool drop_waiting(const char *text);
  void clear_if_nothing_is_left();

  // The rules. Each has four bytes, the number of functions that it has matched, and its text with
  // a final 0.
  Array<char> rules_;
  FtraceHash *hash_ = nullptr;
};

// An empty filter to make a change in. Its memory is reused: a change of one function should not
// cost more than the change of its site.
Filter &spare_filter();

} // namespace nophook
