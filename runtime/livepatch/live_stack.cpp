// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the bounds of stacks, and compares their words. A thread's own stack ends at its thread
// pointer, because the C library puts it there, or is the one that the process began with. Where
// neither is so, the thread is on an alternate signal stack or on a fiber's. Only the thread itself
// can ask which one. The stack of a registered fiber is in its record.

#include "livepatch/live_stack.h"

#include "arch/arch.h"
#include "arch/clock.h"
#include "base/mappings.h"
#include "base/own_identity.h"
#include "base/proc.h"
#include "base/safe_read.h"
#include "base/sort.h"
#include "base/thread_facts.h"
#include "livepatch/tasks.h"

#include <signal.h>
#include <sys/auxv.h>

void (*nophook_klp_looked_at)(int tid, uint64_t address) = nullptr;

namespace nophook {

void CodeRanges::seal() {
  sort(ranges_.data(), ranges_.size(),
       [](const CodeRange &a, const CodeRange &b) { return a.start < b.start; });
  uint64_t kept = 0;
  for (const CodeRange &range : ranges_) {
    if (kept && range.start <= ranges_[kept - 1].end) {
      uint64_t &end = ranges_[kept - 1].end;
      end = end > range.end ? end : range.end;
    } else {
      ranges_[kept++] = range;
    }
  }
  ranges_.shrink(kept);
  lowest_ = kept ? ranges_[0].start : 1;
  highest_ = kept ? ranges_[kept - 1].end : 0;
}

bool CodeRanges::find(uint64_t word) const {
  uint64_t from = 0, to = ranges_.size();
  while (from < to) {
    uint64_t middle = (from + to) / 2;
    if (word < ranges_[middle].start)
      to = middle;
    else if (word > ranges_[middle].end)
      from = middle + 1;
    else
      return true;
  }
  return false;
}

namespace {

constexpr uint64_t kRedZoneBytes = 128;
constexpr uint64_t kMostFiberBytes = 8 << 20;
constexpr int kMostMappings = 64;     // the most mappings of one stack
constexpr uint64_t kChunkWords = 512; // words that a look at another thread reads at once
// The most handlers that have interrupted each other on stacks of their own.
constexpr int kMostStacks = 4;

struct Span {
  uint64_t low, high;
  bool contains(uint64_t address) const { return address >= low && address < high; }
};

bool span_has(Span span, const CodeRanges &left) {
  for (uint64_t at = round_down(span.low, 8); at + 8 <= span.high; at += 8)
    if (left.contain(Arch::code_address(*reinterpret_cast<const uint64_t *>(at))))
      return true;
  return false;
}

// The memory around `sp` that can be read without a hole, up to `enough`.
bool readable_around(uint64_t sp, uint64_t enough, Span *found) {
  Mappings mappings;
  Mapping mapping;
  if (mappings.find(sp, &mapping) != Mappings::Answer::kFound || sp < mapping.start ||
      !(mapping.prot & 1))
    return false;
  *found = {mapping.start, mapping.end};
  for (int i = 0; i < kMostMappings && found->high < enough; i++) {
    if (mappings.find(found->high, &mapping) != Mappings::Answer::kFound ||
        mapping.start != found->high || !(mapping.prot & 1))
      break;
    found->high = mapping.end;
  }
  return true;
}

// The address of data at the top of the stack that the process began with.
uint64_t first_stack_mark() {
  return getauxval(AT_RANDOM);
}

// The thread's own stack if it is running on that at `sp`; otherwise false. `top`: in its thread's
// block.
bool stack_at(uint64_t sp, uint64_t top, Span *stack) {
  const uint64_t first = first_stack_mark();
  Span around;
  if (!readable_around(sp, top > sp ? top : first > sp ? first : sp, &around))
    return false;
  if (top > sp && top <= around.high) {
    *stack = {around.low, top};
    return true;
  }
  if (first > sp && first < around.high) {
    *stack = around;
    return true;
  }
  return false;
}

// The alternate signal stack, if the calling thread is on it.
bool on_signal_stack(uint64_t sp, Span *stack) {
  stack_t now = {};
  if (sys_failed(sys(SYS_sigaltstack, nullptr, &now)) || now.ss_flags & SS_DISABLE)
    return false;
  *stack = {reinterpret_cast<uint64_t>(now.ss_sp),
            reinterpret_cast<uint64_t>(now.ss_sp) + now.ss_size};
  return sp >= stack->low && sp < stack->high;
}

// The stack pointer of the code that a handler at or above `sp` has interrupted, from the first
// kernel frame in `span`; 0: there is none.
uint64_t interrupted_in(Span span, uint64_t sp) {
  for (uint64_t at = round_down(sp, 8); at + Arch::kSignalFrameWords * 8 <= span.high; at += 8) {
    const auto *frame = reinterpret_cast<const uint64_t *>(at);
    const uint64_t there = Arch::interrupted_sp(frame);
    if (Arch::is_signal_frame(frame, at) && (there < span.low || there >= span.high))
      return there;
  }
  return 0;
}

// Whether the own stack of a thread that is on a fiber has a word in `left`. Its place there is
// unknown, so all of it counts. Below the thread's block lies the stack of every thread but the
// first.
bool waiting_stack_has(uint64_t top, const CodeRanges &left) {
  Span span;
  if (!readable_around(top - 8, top - 8, &span) || span_has({span.low, top}, left))
    return true;
  const uint64_t first = first_stack_mark();
  return thread_id() == process_id() &&
         (!readable_around(first, first, &span) || span_has(span, left));
}

// A function of its own, so that the ordinary look has a small frame.
__attribute__((noinline)) bool other_stacks_have(Task *task, uint64_t sp, const CodeRanges &left) {
  const auto top = reinterpret_cast<uint64_t>(thread_pointer());
  for (int i = 0; i < kMostStacks; i++) {
    if (task->is_fiber() && task->contains(sp))
      return span_has({sp, task->high()}, left);
    Span stack;
    if (!task->is_fiber() && stack_at(sp, top, &stack)) {
      task->set_stack(stack.low, stack.high);
      return span_has({sp, stack.high}, left);
    }
    if (!on_signal_stack(sp, &stack))
      break;
    const uint64_t below = interrupted_in(stack, sp);
    if (!below || span_has({sp, stack.high}, left))
      return true;
    sp = below - kRedZoneBytes;
  }
  Span fiber;
  return !readable_around(sp, sp, &fiber) || fiber.high - sp > kMostFiberBytes ||
         span_has({sp, fiber.high}, left) || waiting_stack_has(top, left) ||
         (task->is_fiber() && span_has({task->low(), task->high()}, left));
}

// The stack pointer in a switch: that of the code which a handler on an alternate stack has
// interrupted, or `sp` itself.
__attribute__((noinline)) uint64_t behind_handlers(uint64_t sp) {
  Span stack;
  for (int i = 0; i < kMostStacks && on_signal_stack(sp, &stack); i++) {
    const uint64_t below = interrupted_in(stack, sp);
    if (!below)
      break;
    sp = below;
  }
  return sp;
}

// The kernel's facts about a sleeping thread: its system call, its stack pointer, and the address
// at which it continues. False: it runs, or sleeps elsewhere.
struct Sleep {
  uint64_t number, sp, pc;
};
bool read_sleep(const ProcText &text, Sleep *sleep) {
  if (*text < '0' || *text > '9') // "running", or -1: in a fault
    return false;
  uint64_t words[9];
  const char *at = text;
  for (uint64_t &word : words) {
    while (*at == ' ')
      at++;
    bool is_hex = at[0] == '0' && at[1] == 'x';
    const char *from = is_hex ? at + 2 : at;
    word = number_at(from, is_hex ? 16 : 10, &at);
    if (at == from)
      return false;
  }
  *sleep = {words[0], words[7], words[8]};
  return true;
}

// An address in the block at the top of the thread's stack: the C library keeps its list there.
uint64_t block_of(int32_t tid) {
  uint64_t head = 0, bytes = 0;
  return sys_failed(sys(SYS_get_robust_list, tid, &head, &bytes)) ? 0 : head;
}

bool others_span_has(int32_t tid, Span span, const CodeRanges &left, uint64_t *word = nullptr) {
  uint64_t words[kChunkWords];
  const int32_t self = thread_id();
  for (uint64_t at = round_down(span.low, 8); at + 8 <= span.high;) {
    uint64_t bytes = span.high - at < sizeof words ? round_down(span.high - at, 8) : sizeof words;
    if (safe_read(self, at, words, bytes) != (long)bytes)
      return true;
    for (uint64_t i = 0; i < bytes / 8; i++)
      if (left.contain(Arch::code_address(words[i]))) {
        if (word)
          *word = Arch::code_address(words[i]);
        return true;
      }
    at += bytes;
    if (nophook_klp_looked_at)
      nophook_klp_looked_at(tid, at);
  }
  return false;
}

// The stacks where a thread's own code may wait: below the block that libc has put at the top of
// all stacks but the first, and the stack that the process began with. A child of fork may have its
// first thread on either.
struct OwnStacks {
  Span of_block, first, of_fiber; // the last one is a registered fiber's
  bool contain(uint64_t address) const {
    return of_block.contains(address) || first.contains(address) || of_fiber.contains(address);
  }
};
bool find_own_stacks(int32_t tid, const Task *fiber, OwnStacks *own) {
  const uint64_t block = block_of(tid), mark = first_stack_mark();
  own->first = {};
  own->of_fiber = fiber ? Span{fiber->low(), fiber->high()} : Span{};
  if (!block || !readable_around(block - 8, block - 8, &own->of_block))
    return false;
  own->of_block.high = block;
  return tid != process_id() || readable_around(mark, mark, &own->first);
}

// Whether the frame of a handler in `span` shows a thread that has been interrupted on a stack
// which is neither that one nor its own.
bool leads_elsewhere(Span span, const OwnStacks &own) {
  uint64_t words[kChunkWords];
  const int32_t self = thread_id();
  const uint64_t frame_bytes = Arch::kSignalFrameWords * 8;
  for (uint64_t at = round_down(span.low, 8); at + frame_bytes <= span.high;) {
    uint64_t bytes = span.high - at < sizeof words ? round_down(span.high - at, 8) : sizeof words;
    if (safe_read(self, at, words, bytes) != (long)bytes)
      return true;
    uint64_t i = 0;
    for (; i * 8 + frame_bytes <= bytes; i++) {
      const uint64_t there = Arch::interrupted_sp(words + i);
      if (Arch::is_signal_frame(words + i, at + i * 8) && !span.contains(there) &&
          !own.contain(there))
        return true;
    }
    at += i * 8;
  }
  return false;
}

// The same for a thread that sleeps on a handler's stack, or on a fiber's. The end of that stack,
// and the place where the own stack waits, are unknown: every word that may belong to them counts.
bool others_stacks_have(int32_t tid, const Task *fiber, uint64_t sp, const CodeRanges &left) {
  Span other;
  OwnStacks own;
  if (!readable_around(sp, sp, &other) || other.high - sp > kMostFiberBytes ||
      !find_own_stacks(tid, fiber, &own))
    return true;
  other.low = sp;
  return leads_elsewhere(other, own) || others_span_has(tid, other, left) ||
         others_span_has(tid, own.of_block, left) || others_span_has(tid, own.first, left) ||
         others_span_has(tid, own.of_fiber, left);
}

bool sleeper_has(int32_t tid, const Task *fiber, uint64_t sp, const CodeRanges &left) {
  Span stack;
  if (fiber && fiber->contains(sp))
    return others_span_has(tid, {sp, fiber->high()}, left);
  return !fiber && stack_at(sp, block_of(tid), &stack)
             ? others_span_has(tid, {sp, stack.high}, left)
             : others_stacks_have(tid, fiber, sp, left);
}

long read_memory(uint64_t address, void *to, uint64_t bytes) {
  return safe_read(thread_id(), address, to, bytes);
}

} // namespace

// At least one of the two stacks of a switch is a fiber's, which may lie within the thread's own.
Task *task_at(Task *thread, uint64_t sp) {
  Task *left = thread->fiber ? thread->fiber : thread, *entered = thread->enters;
  if (!entered || entered == left)
    return left;
  Task *fiber = entered->is_fiber() ? entered : left, *other = fiber == left ? entered : left;
  return fiber->contains(behind_handlers(sp)) ? fiber : other;
}

bool own_stack_has(Task *task, uint64_t sp, const CodeRanges &left) {
  if (task->contains(sp))
    return span_has({sp, task->high()}, left);
  return other_stacks_have(task, sp, left);
}

bool is_outside(const Task *task, const CodeRanges &left, uint64_t *word) {
  const uint64_t place = __atomic_load_n(&task->place, __ATOMIC_ACQUIRE);
  if (place == Task::kRuns && task->is_fiber()) {
    const Task *thread = __atomic_load_n(&task->thread, __ATOMIC_RELAXED);
    const int32_t tid = thread ? thread->owner() : 0;
    return tid > 0 && sleeps_outside(tid, task, left);
  }
  if (place == Task::kRuns)
    return sleeps_outside(task->owner(), nullptr, left);
  const uint64_t sp = __atomic_load_n(&task->waits_sp, __ATOMIC_RELAXED),
                 pc = Arch::code_address(__atomic_load_n(&task->waits_pc, __ATOMIC_RELAXED));
  if (place != Task::kWaits) // a switch is under way
    return false;
  if (left.contain(pc)) {
    if (word)
      *word = pc;
    return false;
  }
  Span stack;
  uint64_t high = task->high();
  if (!task->is_fiber()) {
    if (!stack_at(sp, block_of(task->owner()), &stack))
      return false;
    high = stack.high;
  }
  return !others_span_has(task->owner(), {sp, high}, left, word);
}

bool task_is_outside(const Task *task, const CodeRanges &left) {
  const uint64_t state = task->load().word;
  return is_outside(task, left, nullptr) && task->load().word == state;
}

bool sleeps_outside(int32_t tid, const Task *fiber, const CodeRanges &left) {
  ProcText before, after;
  const uint64_t ran = time_ran(tid);
  Sleep sleep;
  // A vfork child's frames lie below the stack pointer of the thread that waits for it.
  if (!ran || !read_proc(task_file(tid, "syscall").c_str(), before) ||
      !read_sleep(before, &sleep) || may_lend_memory(sleep.number) || left.contain(sleep.pc) ||
      !Arch::stores_return_address(sleep.pc, read_memory) ||
      sleeper_has(tid, fiber, sleep.sp, left))
    return false;
  return read_proc(task_file(tid, "syscall").c_str(), after) &&
         is_text(before, text_length(before), after) && time_ran(tid) == ran;
}

} // namespace nophook
