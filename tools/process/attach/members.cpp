// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares one process at a time in another thread, and keeps a list of the others that wait.

#include "process/attach/members.h"

#include "foundation/process.h"
#include "process/attach/instrumented.h"
#include "process/launch/process_status.h"

#include <fmt/format.h>
#include <utility>

namespace nophook {

void Members::take(int32_t pid, Prepared prepared) {
  Result<> begun = prepared ? Result<>() : Result<>(prepared.error());
  // As below, when its buffer was found before the process had answered.
  if (!begun && begun.error().text() == is_taken(pid).text() && followed_.children().contains(pid))
    return;
  if (prepared) {
    auto buffer = SharedBuffer::open((*prepared)->buffer);
    // When it was made to serve, it found what we leave for programs that are executed. So it is
    // recorded, and gets its settings back, as a fork child.
    if (buffer && buffer->header().session == followed_.session()) {
      invited_.push_back(pid);
      return (*prepared)->files.keep();
    }
    followed_.know((*prepared)->buffer);
    if (!buffer)
      begun = buffer.error();
    else if (!recorder_.drain().begin_anew(std::move(*buffer), followed_.session()))
      begun = is_taken(pid);
  }
  if (begun)
    return members_.push_back(std::move(*prepared));
  if (prepared)
    (void)(*prepared)->files.restore(); // the error that led here is the one to print
  if (!process_is_gone(pid))
    recorder_.say(fmt::format("nophook: {} is left out: {}",
                              pid == pid_ ? "what the process executes" : "a child",
                              printable(begun.error().text())));
}

void Members::begin_living() {
  for (const InstrumentedProcess &child : with_children(instrumented_processes(), pid_))
    if (child.pid != pid_ && !process_is_gone(child.pid))
      take(child.pid, prepare_member(child.pid, wanted_.trust, request_, say_line));
}

void Members::take_prepared() {
  const int32_t pid = std::exchange(under_way_, 0);
  if (!pid)
    return;
  Prepared prepared = prepared_.get();
  // If it has executed another program in the meantime, the next look finds that.
  if (prepared || ProcessStatus::of(pid).environment == environment_)
    take(pid, std::move(prepared));
}

// The old program may have been recorded: the one that it executes begins without our settings.
void Members::leave_old_program(int32_t pid) {
  if (pid == pid_)
    files_.are_gone();
  for (const auto &member : members_)
    if (member->pid == pid)
      member->files.are_gone();
}

void Members::look() {
  for (int32_t pid : executed_.look_if_due())
    if (wanted_.children || pid == pid_)
      waiting_.push_back(pid);
    else
      missed_.add(pid, MissedProcesses::Why::kExecuted);
  if (under_way_ && prepared_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    take_prepared();
  // Most programs that are executed have no sites.
  while (!under_way_ && !waiting_.empty()) {
    const int32_t pid = waiting_.front();
    waiting_.pop_front();
    if (!process_has_sites(pid))
      continue;
    leave_old_program(pid);
    under_way_ = pid;
    environment_ = ProcessStatus::of(pid).environment;
    prepared_ = std::async(std::launch::async, [this, pid] {
      return prepare_member(pid, wanted_.trust, request_, say_line);
    });
  }
}

void Members::end() {
  take_prepared();
  for (const std::string &line : missed_.lines())
    recorder_.say("nophook: " + line);
}

Result<> Members::restore() {
  Result<> first;
  for (const auto &member : members_) {
    Result<> one = process_is_gone(member->pid) ? Result<>() : member->files.restore();
    if (first && !one)
      first = one;
  }
  return first;
}

std::vector<int32_t> Members::pids() const {
  std::vector<int32_t> pids = invited_;
  for (const auto &member : members_)
    pids.push_back(member->pid);
  return pids;
}

} // namespace nophook
