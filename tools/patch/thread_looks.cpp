// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stop lasts as long as it takes to copy the registers and the stack. The copy is unwound when
// the thread runs again. That is as good as a verdict about a thread that stands still: the
// thread's state was read before the stop, and the runtime takes the verdict only if it is still
// the same. A stack of which the copy has not all, such as that of a handler on its own stack, is
// unwound during a second stop; the tables that it needs have been found then.

#include "patch/thread_looks.h"

#include "foundation/identity.h"

#include <cinttypes>
#include <cstdio>
#include <fmt/format.h>

namespace nophook {

namespace {

// Reads the last two of the nine words that the kernel shows of a sleeping thread.
bool read_sleep(const std::string &folder, uint64_t *sp, uint64_t *pc) {
  const std::string text = read_small_file(folder + "syscall");
  return std::sscanf(text.c_str(), "%*d %*x %*x %*x %*x %*x %*x %" SCNx64 " %" SCNx64, sp, pc) == 2;
}

} // namespace

Result<> ThreadLooks::look() {
  reasons_.clear();
  std::string text;
  const int64_t result = client_.read("livepatch/looks", &text);
  if (result == -ENOENT)
    return error_at(fmt::format("process {}", pid_),
                    "has an older runtime, which cannot use --stop-threads");
  if (result < 0)
    return error_at("livepatch/looks", std::strerror((int)-result));
  const auto list = parse_looks(text);
  if (!list)
    return error_at("livepatch/looks", "is not what a runtime of this version writes");
  if (list->looks.empty())
    return {};
  map_ = ProcessMap::read(pid_);
  if (!unwinder_ || !unwinder_->fits(map_)) {
    auto prepared = StackUnwinder::prepare(pid_, map_);
    NOPHOOK_TRY(prepared);
    unwinder_ = std::move(*prepared);
  }
  const auto folders = thread_folders(pid_);
  for (const Look &look : list->looks)
    for (const Look::Thread &thread : look.threads)
      if (const auto found = folders.find(thread.tid); found != folders.end())
        look_at(look, thread, found->second, list->ways);
  return {};
}

void ThreadLooks::look_at(const Look &look, const Look::Thread &thread, const std::string &folder,
                          const std::vector<LookRange> &ways) {
  bool is_outside = false;
  const std::string reason = judge(look, number_of_thread(folder), folder, ways, &is_outside);
  if (is_outside) {
    // A thread that has changed since it was listed has changed over, or is listed again.
    Error why;
    const int64_t result = client_.write(
        "livepatch/looks", fmt::format("{:x} {} {:x}", look.number, thread.tid, thread.state),
        false, &why);
    if (result < 0 && result != -ESTALE)
      reasons_[thread.tid] = why.problem;
  } else if (!reason.empty()) {
    reasons_[thread.tid] = reason;
  }
}

// The reason why the thread stays as it is; empty: it is outside, or has ended.
std::string ThreadLooks::judge(const Look &look, int32_t tid, const std::string &folder,
                               const std::vector<LookRange> &ways, bool *is_outside) {
  const bool is_first = tid == pid_;
  UnwoundStack stack;
  std::optional<size_t> inside;
  const auto decide = [&](const ThreadRegisters &registers, const ReadMemory &read) {
    stack = unwinder_->unwind(registers, read, map_, is_first);
    inside = frame_inside(stack, look, ways, read);
  };
  StopResult stop = look_at_thread(tid, folder, [&](const ThreadRegisters &registers) {
    const MappedRange *range = map_.find(registers.sp);
    copy_.take(tid, registers, range ? range->end : 0);
  });
  if (!stop.reason.empty() || stop.is_gone)
    return stop.reason + inside_while_asleep(look, tid, folder);
  decide(copy_.registers,
         [&](uint64_t address, void *to, size_t bytes) { return copy_.read(address, to, bytes); });
  if (stack.lacks_memory) {
    stop = look_at_thread(tid, folder, [&](const ThreadRegisters &registers) {
      decide(registers, [=](uint64_t address, void *to, size_t bytes) {
        return read_memory(tid, address, to, bytes);
      });
    });
    if (!stop.reason.empty() || stop.is_gone)
      return stop.reason;
  }
  if (inside)
    return fmt::format("{} is on its stack ({})", unwinder_->name_of(stack.frames[*inside].pc),
                       names_of(stack));
  *is_outside = stack.is_whole();
  return unwinder_->explain(stack);
}

// The names of the functions of a stack, the innermost first.
std::string ThreadLooks::names_of(const UnwoundStack &stack) const {
  constexpr size_t kMostNames = 16;
  std::string names;
  for (size_t i = 0; i < stack.frames.size() && i < kMostNames; i++)
    names += (i ? ", " : "") + unwinder_->name_of(stack.frames[i].pc);
  return stack.frames.size() > kMostNames ? names + ", ..." : names;
}

// A note about a sleeping thread with a word on its stack that leads into the code; or empty. Such
// a thread is not stopped, since that would wake it. So its frames are unknown; its words are not,
// and any word that leads into the code delays it.
std::string ThreadLooks::inside_while_asleep(const Look &look, int32_t tid,
                                             const std::string &folder) const {
  uint64_t sp, pc;
  if (!read_sleep(folder, &sp, &pc))
    return {};
  const MappedRange *range = map_.find(sp);
  const auto word = word_inside(pc, sp, range ? range->end : 0, look,
                                [=](uint64_t address, void *to, size_t bytes) {
                                  return read_memory(tid, address, to, bytes);
                                });
  return word ? fmt::format("; {} is on its stack", unwinder_->name_of(*word)) : std::string();
}

void ThreadLooks::explain(std::vector<PendingThread> *threads) const {
  for (PendingThread &thread : *threads)
    if (const auto found = reasons_.find(thread.tid); found != reasons_.end())
      thread.look = found->second;
}

} // namespace nophook
