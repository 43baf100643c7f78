// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a pipe for each buffer, and prints the events of all pipes in turn.

#include "process/launch/followed_events.h"

#include "process/launch/child.h"
#include "show/live/event_pipe.h"
#include "show/print/colours.h"

#include <csignal>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr int kEveryMs = 20;
constexpr size_t kBytesATurn = 1 << 20;
constexpr uint32_t kPageBytes = 4096;

class Follower {
public:
  Follower(BufferFolder &folder, const NamesOption &names, const Terminal &terminal)
      : folder_(folder), names_(names.style(terminal.is_terminal)) {
    show_on(output_, terminal);
  }

  // Reads the events that have come since the last time.
  void read() {
    for (std::string &buffer : folder_.new_buffers())
      waiting_.push_back(std::move(buffer));
    // The process is making its buffer at this moment: it can be read soon.
    std::erase_if(waiting_, [&](const std::string &buffer) {
      auto pipe = EventPipe::open(buffer, kPageBytes, names_);
      if (pipe)
        pipes_.push_back(std::move(*pipe));
      return pipe.ok();
    });
    for (const auto &pipe : pipes_)
      while (!output_.closed()) {
        auto lines = pipe->read(-1, kBytesATurn, {});
        if (!lines || lines->empty())
          break;
        output_.lines(*lines);
        (void)output_.flush(); // a failed write closes it
      }
  }

  bool has_seen_buffers() const { return !pipes_.empty(); }

private:
  BufferFolder &folder_;
  const NameStyle names_;
  Output output_;
  std::vector<std::string> waiting_;
  std::vector<std::unique_ptr<EventPipe>> pipes_;
};

// The terminal has sent Ctrl-C to the program, too; other signals are passed on to it.
void pass_signals(Child &child) {
  while (auto signal = child.next_signal())
    if (!signal->from_terminal)
      child.send(signal->number);
}

} // namespace

Result<int> follow_events(const Program &program, const std::vector<std::string> &variables,
                          BufferFolder &folder, const NamesOption &names) {
  auto child = Child::start(program, variables);
  NOPHOOK_TRY(child);
  Follower follower(folder, names, Terminal::of_stdout());
  std::optional<int> status;
  while (!status) {
    pollfd ready = {child->signals(), POLLIN, 0};
    (void)::poll(&ready, 1, kEveryMs); // each look reads all buffers, whatever ended the wait
    pass_signals(*child);
    status = child->exit_status(); // read before the last look
    follower.read();
  }
  if (!follower.has_seen_buffers())
    fmt::print(stderr,
               "nophook: {}: nothing was recorded: the runtime did not start in it (is it static, "
               "set-user-ID, or has it no traceable functions?)\n",
               printable(program.arguments.front()));
  return *status;
}

} // namespace nophook
