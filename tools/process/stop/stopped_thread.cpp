// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds the thread in a tracer thread, and reads its memory by process_vm_readv().

#include "process/stop/stopped_thread.h"

#include "foundation/file.h"
#include "process/stop/held_thread.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/uio.h>

namespace nophook {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kRedZoneBytes = 128; // below the stack pointer, which functions may use
constexpr size_t kCopiedBytes = 1 << 20;

// Looks at the thread. It runs again in any case, at the latest when the calling thread ends.
void look_once(HeldThread thread, StopResult *result,
               const std::function<void(const ThreadRegisters &)> &look) {
  if (!thread.seize())
    return thread.explain(result);
  // The thread may have fallen asleep in the meantime: then the end of our thread releases it.
  if (!thread.runs()) {
    result->reason = "not stopped, since it sleeps";
    return;
  }
  const auto begin = Clock::now();
  if (!thread.stop())
    return thread.explain(result);
  const auto stopped = Clock::now();
  restart_cut_call(thread.tid());
  ThreadRegisters registers;
  const int error = read_registers(thread.tid(), &registers);
  if (!error)
    look(registers);
  thread.let_go();
  const auto now = Clock::now();
  result->stood = now - stopped;
  result->took = now - begin;
  if (error == ENOEXEC) {
    result->reason = "not judged, since it runs 32-bit code";
  } else if (error) {
    thread.fail(error);
    thread.explain(result);
  }
}

} // namespace

int32_t number_of_thread(const std::string &folder) {
  int32_t number = 0;
  const size_t slash = folder.rfind('/', folder.size() - 2);
  // The number is valid: we have made the path.
  (void)std::from_chars(folder.data() + slash + 1, folder.data() + folder.size() - 1, number);
  return number;
}

bool read_memory(int32_t tid, uint64_t address, void *to, size_t bytes) {
  iovec here = {to, bytes}, there = {(void *)address, bytes};
  return ::process_vm_readv(tid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

StopResult look_at_thread(int32_t tid, const std::string &folder,
                          const std::function<void(const ThreadRegisters &)> &look) {
  StopResult result;
  if (const std::string state = read_small_file(folder + "syscall"); state.empty()) {
    result.is_gone = read_small_file(folder + "stat").empty();
    if (!result.is_gone)
      result.reason = HeldThread::refusal(folder, EPERM);
    return result;
  } else if (!state.starts_with("running")) {
    result.reason = "not stopped, since it sleeps";
    return result;
  }
  as_tracer([&] { look_once(HeldThread(tid, folder), &result, look); });
  return result;
}

void ThreadCopy::make_room() {
  bytes.resize(kCopiedBytes);
}

void ThreadCopy::take(int32_t tid, const ThreadRegisters &from, uint64_t end) {
  registers = from;
  stack = from.sp - kRedZoneBytes;
  used = end > stack ? std::min<uint64_t>(end - stack, bytes.size()) : 0;
  if (used && !read_memory(tid, stack, bytes.data(), used))
    used = 0;
}

bool ThreadCopy::read(uint64_t address, void *to, size_t count) const {
  if (address < stack || count > used || address - stack > used - count)
    return false;
  std::memcpy(to, bytes.data() + (address - stack), count);
  return true;
}

} // namespace nophook
