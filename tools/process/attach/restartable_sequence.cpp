// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread's area has the address of a sequence's description. The thread stores it before the
// sequence and need not clear it afterwards. Kernels differ in when they clear it; here it only
// matters whether the thread is in that sequence.

#include "process/attach/restartable_sequence.h"

#include "process/stop/stopped_thread.h"

#include <cerrno>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nophook {
namespace {

// Source: include/uapi/linux/ptrace.h, rseq.h. The C library's headers may lack them.
constexpr int kGetConfiguration = 0x420f;
struct Configuration {
  uint64_t area;
  uint32_t area_bytes, signature, flags, padding;
};
constexpr uint64_t kSequenceInArea = 8; // offset of the address in the area

struct Sequence {
  uint32_t version, flags;
  uint64_t start, bytes, abort;
};
static_assert(sizeof(Sequence) == 32);

bool has_kernel_sequences() {
  return ::syscall(SYS_rseq, nullptr, 0, 0, 0) == 0 || errno != ENOSYS;
}

} // namespace

std::string danger_of_sequence(int32_t tid, uint64_t pc, bool is_in_call) {
  Configuration configuration = {};
  if (::ptrace((__ptrace_request)kGetConfiguration, tid, (void *)sizeof configuration,
               &configuration) < 0)
    return is_in_call || !has_kernel_sequences()
               ? ""
               : "it runs, and this kernel does not show whether it is in a restartable sequence "
                 "(Linux 5.13 does)";
  uint64_t at = 0;
  Sequence sequence = {};
  if (!configuration.area)
    return "";
  if (!read_memory(tid, configuration.area + kSequenceInArea, &at, sizeof at) ||
      (at && !read_memory(tid, at, &sequence, sizeof sequence)))
    return "its area of restartable sequences cannot be read";
  return at && pc - sequence.start < sequence.bytes ? "it is in a restartable sequence (rseq)" : "";
}

} // namespace nophook
