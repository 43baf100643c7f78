// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/TID/syscall of each thread, and ranks the threads by the call that they are in.

#include "process/attach/candidates.h"

#include "foundation/file.h"
#include "foundation/identity.h"
#include "process/attach/safe_point.h"
#include "process/stop/stopped_thread.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace nophook {
namespace {

using Rank = Candidate::Rank;
using Arguments = std::array<uint64_t, 6>;

// Calls that return what they have done so far, or whose timeout is in the program's memory.
constexpr long kEndsShort[] = {
    SYS_write,           SYS_writev,       SYS_sendto,        SYS_sendmsg,    SYS_sendmmsg,
    SYS_recvmmsg,        SYS_splice,       SYS_io_getevents,  SYS_semtimedop, SYS_io_pgetevents,
    SYS_rt_sigtimedwait, SYS_epoll_pwait2, SYS_io_uring_enter};

bool ends_short(long call, const Arguments &arguments) {
  if (call == SYS_recvfrom)
    return arguments[3] & MSG_WAITALL;
  if (call == SYS_recvmsg)
    return arguments[2] & MSG_WAITALL;
  return std::ranges::count(kEndsShort, call);
}

// Parses "NUMBER 0x3 0x7ffd... ... SP PC"; "running"; "-1 SP PC" of a thread that is blocked
// outside of a call; or an empty text, if the file may not be read.
Candidate candidate_from(std::string folder) {
  const int32_t tid = number_of_thread(folder);
  Candidate one = {tid, std::move(folder), Rank::kRuns, -1};
  const std::string text = read_small_file(one.folder + "syscall");
  const char *at = text.data(), *const end = at + text.size();
  const auto [behind, wrong] = std::from_chars(at, end, one.call);
  if (wrong != std::errc() || one.call < 0) {
    one.call = -1;
    return one;
  }
  Arguments arguments = {};
  at = behind;
  for (uint64_t &argument : arguments) {
    constexpr std::string_view kPrefix = " 0x";
    if (!std::string_view(at, (size_t)(end - at)).starts_with(kPrefix))
      break;
    at = std::from_chars(at + kPrefix.size(), end, argument, 16).ptr;
  }
  one.rank = !may_be_used_in(one.call)         ? Rank::kElsewhere
             : ends_short(one.call, arguments) ? Rank::kEndsShort
                                               : Rank::kAsleep;
  return one;
}

} // namespace

std::vector<Candidate> candidates(int32_t pid) {
  std::vector<Candidate> all;
  for (const auto &[own, folder] : thread_folders(pid))
    all.push_back(candidate_from(folder));
  std::ranges::sort(all, {}, [](const Candidate &one) { return std::pair(one.rank, one.tid); });
  return all;
}

} // namespace nophook
