// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that is at a bad place is let go, and so is one that does not stop. The others are
// tried, and then all of them again, until a thread is at a good place.

#include "process/attach/serve_process.h"

#include "foundation/file.h"
#include "foundation/identity.h"
#include "foundation/process.h"
#include "process/attach/candidates.h"
#include "process/attach/restartable_sequence.h"
#include "process/attach/sleep.h"
#include "process/attach/target.h"
#include "process/control/client.h"
#include "process/control/served.h"
#include "process/recorder/waiting_line.h"
#include "process/stop/needed_calls.h"
#include "process/stop/stopped_thread.h"

#include <nophook/runtime.h>

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace nophook {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPatience = 10s;      // wait for threads that are never at a good place
constexpr auto kStartPatience = 3s;  // wait for a process that has just begun
constexpr auto kServePatience = 10s; // wait for a runtime that has been woken
constexpr std::chrono::microseconds kShortestPause = 200us, kLongestPause = 20ms;
constexpr auto kLeavePatience = 2s; // wait for other clients to leave
constexpr int kStopsOfRunning = 32; // stops of a thread in a row, each a tenth of a millisecond
constexpr auto kBetweenStops = 100us;
constexpr char kSettings[] = "serve";

class Attempt {
public:
  Attempt(const Target &target, StackUnwinder &unwinder) : target_(target), unwinder_(unwinder) {}

  // True: a thread has made the call, successfully or not.
  bool try_thread(const Candidate &candidate);

  const RemoteResult &result() const { return result_; }
  // Why the last thread could not be used.
  const std::string &refusal() const { return refusal_; }
  bool is_forbidden() const { return is_forbidden_; }

private:
  void stop_and_call(HeldThread thread, int times);
  bool call(HeldThread &thread, const Sleep &sleep);
  std::string danger_at(const HeldThread &thread, long call);
  bool passes_filter(HeldThread &thread, ThreadState *state);

  const Target &target_;
  StackUnwinder &unwinder_;
  RemoteResult result_;
  std::string refusal_;
  bool is_forbidden_ = false;
};

bool Attempt::try_thread(const Candidate &candidate) {
  result_ = {};
  if (candidate.rank == Candidate::Rank::kElsewhere) {
    refusal_ = fmt::format("thread {}: it is in system call {}", candidate.tid, candidate.call);
    return false;
  }
  as_tracer([&] {
    stop_and_call(HeldThread(candidate.tid, candidate.folder),
                  candidate.rank == Candidate::Rank::kRuns ? kStopsOfRunning : 1);
  });
  return result_.is_begun;
}

void Attempt::stop_and_call(HeldThread thread, int times) {
  const Sleep sleep = Sleep::of(thread.folder());
  if (!thread.seize()) {
    is_forbidden_ = !thread.is_gone();
    refusal_ = thread.reason();
    return;
  }
  for (int i = 0; i < times; i++) {
    if (!thread.stop()) {
      refusal_ = thread.reason();
      return;
    }
    if (call(thread, sleep) || is_forbidden_ || i + 1 == times || thread.is_gone())
      break;
    thread.run_on();
    std::this_thread::sleep_for(kBetweenStops);
  }
  thread.let_go();
}

std::string Attempt::danger_at(const HeldThread &thread, long call) {
  ThreadRegisters registers;
  if (read_registers(thread.tid(), &registers))
    return "its registers cannot be read";
  if (std::string danger = danger_of_sequence(thread.tid(), registers.pc, call >= 0);
      !danger.empty())
    return danger;
  const bool is_first = thread.tid() == target_.pid;
  const auto stack = unwinder_.unwind(
      registers,
      [&](uint64_t address, void *to, size_t bytes) {
        return read_memory(thread.tid(), address, to, bytes);
      },
      target_.map, is_first);
  return stack.is_whole() ? danger_of(stack, call, is_first, *target_.places)
                          : "its stack cannot be unwound to its end";
}

// OpenSSH's child gives itself a filter a millisecond after the fork: the filter at the stop
// counts, not the one that Target::of() has seen.
bool has_filter(const HeldThread &thread) {
  return !is_unfiltered(seccomp_fields(read_small_file(thread.folder() + "status")));
}

// Whether the thread's seccomp filters allow all calls that are to come. A thread that they do not
// let go on begins its call again, with all of its timeout, even if it is refused.
bool Attempt::passes_filter(HeldThread &thread, ThreadState *state) {
  std::vector<SeccompFilter> filters;
  const int error = read_filters(thread.tid(), &filters);
  if (goes_on_by_restart(state->registers) && (error || !may_go_on(filters))) {
    uint8_t code[kCodeBytes];
    const uint64_t pc = program_counter(state->registers);
    if (read_memory(thread.tid(), pc - sizeof code, code, sizeof code))
      state->registers = issued_again(state->registers, code);
    (void)write_general(thread.tid(), state->registers); // if this fails, the thread is gone
  }
  refusal_ = error ? "its seccomp filter cannot be read (that takes CAP_SYS_ADMIN; nophook attach "
                     "--trust-seccomp goes on)"
                   : why_filtered(filters, !target_.entries.passed.empty());
  is_forbidden_ = !refusal_.empty();
  return !is_forbidden_;
}

// A cut call is mended before anything else: between the stop and this, nothing else would mend it.
bool Attempt::call(HeldThread &thread, const Sleep &sleep) {
  const bool is_cut = restart_cut_call(thread.tid());
  const auto stopped = Clock::now();
  ThreadState state;
  if (int error = read_state(thread.tid(), &state)) {
    thread.fail(error);
    refusal_ = thread.reason();
    return false;
  }
  const long number = call_of(state.registers);
  if (target_.judges_filters && has_filter(thread) && !passes_filter(thread, &state))
    return false;
  // Behind a function of the C library no program needs the argument's register.
  const bool may_shorten = is_cut && target_.places->kind_at(program_counter(state.registers)) ==
                                         CodePlaces::Kind::kLibc;
  const auto waited = may_shorten ? sleep.until_stop(thread.folder(), stopped) : 0ns;
  const auto shorten = [&](user_regs_struct *registers) {
    if (waited > 0ns)
      shorten_timeout(registers, waited, Clock::now() - stopped);
  };
  std::string danger = danger_at(thread, number);
  if (danger.empty()) {
    result_ = RemoteCall(thread, target_.entries).run(state, kSettings, shorten);
    danger = result_.refusal;
    if (result_.is_for_ever) {
      is_forbidden_ = true;
      refusal_ = danger;
      return false;
    }
  } else if (waited > 0ns) {
    shorten(&state.registers);
    // If this fails, the timeout begins again.
    (void)write_general(thread.tid(), state.registers);
  }
  if (!danger.empty())
    refusal_ = fmt::format("thread {}: {}", thread.tid(), danger);
  return danger.empty();
}

Error failure_of(int32_t pid, const Attempt &attempt) {
  const RemoteResult &result = attempt.result();
  const std::string process = fmt::format("process {}", pid);
  if (!result.error.empty())
    return error_at(process, "its loader refuses the runtime: " + result.error);
  if (result.is_done && result.woken < 0)
    return error_at(
        process, fmt::format("its runtime does not serve: {}", std::strerror((int)-result.woken)));
  return error_at(process, "the thread that was to load the runtime has gone");
}

// The runtime's own thread makes the socket.
Result<> wait_for_socket(int32_t pid) {
  const auto end = Clock::now() + kServePatience;
  for (auto pause = kShortestPause;; pause = std::min(pause * 2, kLongestPause)) {
    if (serves(pid))
      return {};
    if (process_is_gone(pid))
      return error_at(fmt::format("process {}", pid), "is gone");
    const auto runtime = find_runtime_in(pid, loaded_files(pid, ProcessMap::read(pid)));
    nophook_runtime_table table = {};
    if (runtime && read_memory(pid, runtime->table, &table, sizeof table) && table.state < 0) {
      table.reason[sizeof table.reason - 1] = '\0';
      return error_at(fmt::format("process {}", pid),
                      fmt::format("its runtime does not serve: {}", printable(table.reason)));
    }
    // The process may have made its socket in a folder that we do not know.
    if (Clock::now() > end)
      return std::ranges::binary_search(listening_processes(), pid) && !has_socket(pid)
                 ? not_served(pid)
                 : error_at(fmt::format("process {}", pid),
                            "its runtime has been loaded, but does not serve yet: try again");
    std::this_thread::sleep_for(pause);
  }
}

Result<> wake(int32_t pid, TrustedFilter trust) {
  const WaitingLine line(fmt::format("a thread of process {} that can load the runtime", pid));
  auto target = Target::of(pid, trust);
  const auto begin = Clock::now(), end = begin + kPatience;
  for (; target && !target->lacks.empty(); target = Target::of(pid, trust)) {
    if (Clock::now() > begin + kStartPatience)
      return error_at(fmt::format("process {}", pid), target->lacks);
    std::this_thread::sleep_for(kLongestPause);
  }
  NOPHOOK_TRY(target);
  auto unwinder = StackUnwinder::prepare(pid, target->map);
  NOPHOOK_TRY(unwinder);
  Attempt attempt(*target, *unwinder);
  for (auto pause = kShortestPause;; pause = std::min(pause * 2, kLongestPause)) {
    for (const Candidate &candidate : candidates(pid)) {
      if (attempt.try_thread(candidate)) {
        const RemoteResult &result = attempt.result();
        if (!result.is_done || (result.woken < 0 && result.woken != -EALREADY))
          return failure_of(pid, attempt);
        return wait_for_socket(pid);
      }
      if (attempt.is_forbidden())
        return error_at(fmt::format("process {}", pid), attempt.refusal());
    }
    if (process_is_gone(pid))
      return error_at(fmt::format("process {}", pid), "is gone");
    if (Clock::now() > end)
      return error_at(fmt::format("process {}", pid),
                      fmt::format("no thread has come to a place where it could load the runtime "
                                  "({}): try again",
                                  attempt.refusal()));
    std::this_thread::sleep_for(pause);
  }
}

} // namespace

Result<> put_to_sleep(int32_t pid) {
  const std::string process = fmt::format("process {}", pid);
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  nophook_control_request leave = {};
  leave.op = NOPHOOK_CONTROL_LEAVE;
  int64_t result;
  // Connections that have ended may not have been noticed yet.
  const auto end = Clock::now() + kLeavePatience;
  while ((result = client->request(leave, NOPHOOK_CONTROL_LEAVE_WORD)) == -EBUSY &&
         Clock::now() < end)
    std::this_thread::sleep_for(kLongestPause);
  if (result == -EBUSY)
    return error_at(process, "serves on: another command is connected to it");
  if (result == -ENOSYS)
    return error_at(process, "serves on: it has an older runtime, which always does");
  // The runtime closes the connection when its socket is gone: the request has no receiver.
  leave.op = NOPHOOK_CONTROL_HELLO;
  if (result == 0 && client->request(leave) == -ENODEV)
    return {};
  return error_at(process, "serves on");
}

Result<> serve_process(int32_t pid, TrustedFilter trust) {
  // A process that listens is not contacted: that would use one of its connections.
  if (std::ranges::binary_search(listening_processes(), pid))
    return has_socket(pid) ? Result<>() : not_served(pid); // in a folder where we look
  return serves(pid) ? Result<>() : wake(pid, trust);
}

} // namespace nophook
