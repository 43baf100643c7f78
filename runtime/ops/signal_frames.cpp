// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches stacks for the frames of handlers, word by word. Their end is unknown: each page but the
// first is tried before it is read.

#include "ops/signal_frames.h"

#include "arch/callback_path.h"
#include "arch/clock.h"
#include "base/bytes.h"
#include "base/few_calls.h"
#include "base/own_identity.h"
#include "base/safe_read.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

namespace nophook {
namespace {

// The return addresses of signal handlers, which lead to the program's sigreturn. Normally one,
// libc's.
constexpr uint32_t kMaxRestorers = 4;
uint64_t g_restorers[kMaxRestorers];

void find_restorers() {
  struct {
    uint64_t handler, flags, restorer, mask;
  } action;
  for (int number = 1; number < 65; number++) {
    if (sys_failed(sys(SYS_rt_sigaction, number, nullptr, &action, 8)) || !action.restorer)
      continue;
    uint32_t i = 0;
    while (i < kMaxRestorers && g_restorers[i] && g_restorers[i] != action.restorer)
      i++;
    if (i < kMaxRestorers)
      g_restorers[i] = action.restorer;
  }
}

void empty_handler(int) {}

// Finds libc's restorer in a handler that libc has installed. If the program has none, one is
// installed for a moment.
void find_own_restorer() {
  struct sigaction old, ours = {};
  ours.sa_handler = empty_handler;
  int number = SIGRTMAX;
  if (sigaction(number, nullptr, &old) || old.sa_handler != SIG_DFL)
    return;
  if (sigaction(number, &ours, nullptr) == 0) {
    find_restorers();
    sigaction(number, &old, nullptr);
  }
}

bool is_restorer(uint64_t word) {
  for (uint64_t restorer : g_restorers)
    if (restorer && word == restorer)
      return true;
  return false;
}

// Whether this thread is on its alternate signal stack, and where that is.
bool on_signal_stack(uint64_t *start, uint64_t *end) {
  stack_t stack = {};
  if (has_few_calls() || sys_failed(sys(SYS_sigaltstack, nullptr, &stack)) ||
      stack.ss_flags & SS_DISABLE)
    return false;
  *start = reinterpret_cast<uint64_t>(stack.ss_sp);
  *end = *start + stack.ss_size;
  return stack.ss_flags & SS_ONSTACK;
}

constexpr uint64_t kMarkOffset = offsetof(::ftrace_regs, mark);

// Whether the frame is as its trampoline has left it. A frame that was overwritten is gone; one
// that was not may be gone as well.
bool has_mark(uint64_t frame) {
  return __atomic_load_n(&reinterpret_cast<const ::ftrace_regs *>(frame)->mark, __ATOMIC_RELAXED) ==
         frame;
}

constexpr uint64_t kStackBytes = 8 << 20; // frames further apart are on different stacks
// Distance from a handler's call up to the code that it has interrupted.
constexpr uint64_t kScanBytes = 1 << 20;
constexpr uint64_t kHandlerBytes = 1 << 16; // largest stack of a handler itself

bool on_one_stack(uint64_t a, uint64_t b) {
  uint64_t start = 0, end = 0;
  on_signal_stack(&start, &end);
  return (a >= start && a < end) == (b >= start && b < end) &&
         (a < b ? b - a : a - b) <= kScanBytes;
}

enum class Found : uint8_t { kNothing, kHandler, kEndOfStack };

// Whether a word begins a handler's frame. The remains of an earlier handler, partly overwritten,
// do not count.
bool is_handler_frame(const uint64_t *word, uint64_t open) {
  return (!Arch::kFrameTellsReturn || is_restorer(Arch::handler_return(word))) &&
         open - Arch::interrupted_sp(word) <= kScanBytes &&
         Arch::is_signal_frame(word, reinterpret_cast<uint64_t>(word));
}

// Looks in [from, to) for the frame of a handler that has interrupted code in or below the frame
// `open`; 0: any code further up this stack.
Found find_handler(uint64_t from, uint64_t to, uint64_t open) {
  uint64_t readable = round_up(from + 1, kPageBytes);
  constexpr uint64_t kBytes = Arch::kSignalFrameWords * 8;
  for (uint64_t at = from; at + kBytes <= to; at += 8) {
    for (; at + kBytes > readable; readable += kPageBytes)
      if (!is_readable_now(readable))
        return Found::kEndOfStack;
    if (is_handler_frame(reinterpret_cast<const uint64_t *>(at), open ? open : at + kScanBytes))
      return Found::kHandler;
  }
  return Found::kNothing;
}

} // namespace

void find_signal_frames() {
  static bool knows_libc = false;
  if (!Arch::kFrameTellsReturn)
    return;
  find_restorers();
  if (!knows_libc)
    find_own_restorer();
  knows_libc = true;
}

bool is_in_handler() {
  auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0)), end = here + kScanBytes;
  auto thread =
      reinterpret_cast<uint64_t>(thread_pointer()); // above the stack of all but the first
  end = thread - here < kScanBytes ? thread : end;
  return find_handler(here, end, 0) == Found::kHandler;
}

bool handler_between(uint64_t inner, uint64_t outer) {
  if (!on_one_stack(inner, outer))
    return true; // this is a handler's stack, since a callback does not change its own
  return inner > outer || find_handler(inner, outer, outer) != Found::kNothing;
}

uint64_t newest_frame(uint64_t place, uint64_t outermost) {
  uint64_t at = round_up(place, 16), readable = round_up(place + 1, kPageBytes);
  const uint64_t end = outermost - at < kScanBytes ? outermost : at + kScanBytes;
  for (; at < end; at += 16) {
    for (; at + sizeof(::ftrace_regs) > readable; readable += kPageBytes)
      if (!is_readable_now(readable))
        return outermost;
    if (reinterpret_cast<const ::ftrace_regs *>(at)->nested == ~at)
      return at;
  }
  return outermost;
}

// On an alternate stack the handler that has interrupted `open` is above `newest`. The kernel does
// not report that stack if it is disarmed at that time, so it is searched for.
bool is_left(uint64_t open, uint64_t newest) {
  if (!open)
    return false;
  if (!is_readable_now(open + kMarkOffset) || !has_mark(open))
    return true;
  if (open > newest)
    return false;
  uint64_t start = 0, end = 0;
  bool on_alternate = on_signal_stack(&start, &end);
  bool open_is_there = end && open >= start && open < end;
  if (on_alternate && newest >= start && newest < end && !open_is_there)
    return false; // it was interrupted, and waits on the ordinary stack
  if (!on_alternate && open_is_there)
    return true;
  return newest - open < kStackBytes && // else the frames are on stacks of fibers
         find_handler(newest, newest + kHandlerBytes, open) != Found::kHandler;
}

bool is_overwritten(uint64_t frame) {
  uint64_t mark = 0;
  long copied = safe_read(thread_id(), frame + kMarkOffset, &mark, sizeof mark);
  if (copied == sizeof mark)
    return mark != frame;
  return copied == -EFAULT; // for other errors the kernel does not show it
}

} // namespace nophook
