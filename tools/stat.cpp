// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook stat: shows the contents and the limit of a traced process's buffer, and whether it is
// being written at all. It can also pause and resume the process's recording.

#include "foundation/json.h"
#include "foundation/output.h"
#include "process/drain/buffer_stat.h"
#include "process/drain/dir_option.h"
#include "process/drain/recover.h"
#include "verbs.h"

namespace nophook {

namespace {

struct Options {
  std::string what;
  bool pause = false;
  bool go_on = false;
  bool json = false;
};

// The reason why tracing is off for good, from a line of the log.
std::string kill_reason(const SharedBuffer &buffer) {
  uint32_t offset = 0;
  std::string log = buffer.log_lines(&offset);
  constexpr std::string_view kMark = "tracing is off for good: ";
  size_t at = log.find(kMark);
  if (at == std::string::npos)
    return "the kill switch is tripped";
  at += kMark.size();
  return printable(log.substr(at, log.find('\n', at) - at));
}

std::string state_of(const SharedBuffer &buffer, Life life) {
  const nophook_buffer &header = buffer.header();
  if (header.killed)
    return "killed";
  if (life != Life::kAlive)
    return life == Life::kGone ? "ended" : "unknown";
  return header.stop ? "stopped" : header.paused ? "paused" : "tracing";
}

std::string when_full(const nophook_buffer &header) {
  switch (header.full) {
  case NOPHOOK_FULL_OVERWRITE:
    return "overwrite";
  case NOPHOOK_FULL_WAIT:
    return fmt::format("wait:{}", header.wait_ms);
  default:
    return "drop";
  }
}

// The most bytes that the buffer's files may take, by the size that was set last.
uint64_t most_bytes(const SharedBuffer &buffer) {
  return buffer.header().subbufs_offset + (uint64_t)buffer.subbuf_most() * NOPHOOK_SUBBUF_BYTES;
}

void print_json(Output &output, const SharedBuffer &buffer, const FoundBuffer &found,
                const std::vector<RingStat> &rings) {
  const nophook_buffer &header = buffer.header();
  Json list = Json::list();
  for (const RingStat &ring : rings)
    list.push({{"tid", ring.tid},
               {"comm", ring.comm},
               {"events", ring.events},
               {"bytes", ring.bytes},
               {"lost", ring.lost},
               {"overwritten", ring.overwritten},
               {"subbufs", ring.subbufs},
               {"begun", ring.begun}});
  Json line = {{"pid", found.pid},
               {"comm", found.comm},
               {"state", state_of(buffer, found.life)},
               {"tracer", found.tracer},
               {"bytes", found.bytes},
               {"most_bytes", most_bytes(buffer)},
               {"when_full", when_full(header)},
               {"invariant_tsc", header.unsteady == 0},
               {"lost_without_ring", header.lost},
               {"overwritten_without_ring", header.overwritten},
               {"rings", list}};
  if (header.killed)
    line.add("reason", kill_reason(buffer));
  output.line("{}", line.text());
}

void print_text(Output &output, const SharedBuffer &buffer, const FoundBuffer &found,
                const std::vector<RingStat> &rings) {
  const nophook_buffer &header = buffer.header();
  output.line("{} {}: {}, tracer {}", found.pid, found.comm, state_of(buffer, found.life),
              found.tracer);
  if (header.killed)
    output.line("  tracing is off for good: {}", kill_reason(buffer));
  output.line("  memory: {:.1f} MiB of {:.1f} at most; when full: {}",
              (double)found.bytes / (1 << 20), (double)most_bytes(buffer) / (1 << 20),
              when_full(header));
  if (header.unsteady)
    output.line("  the time-stamp counter may stop or change its speed: times may be wrong");
  if (header.lost)
    output.line("  {} events of threads without a ring are lost", header.lost);
  if (header.overwritten)
    output.line("  {} events of threads that have ended are overwritten", header.overwritten);
  output.line("{:>10} {:<15} {:>12} {:>10} {:>12} {:>10}", "TID", "THREAD", "EVENTS", "LOST",
              "OVERWRITTEN", "KIB");
  for (const RingStat &ring : rings)
    output.line("{:>10} {:<15} {:>12} {:>10} {:>12} {:>10}", ring.tid, ring.comm, ring.events,
                ring.lost, ring.overwritten, ring.bytes / 1024);
}

} // namespace

Result<int> stat_verb(const Arguments &arguments) {
  Options options;
  const VerbOptions verb = {
      "nophook stat",
      "Shows how full the buffers of traced processes are.",
      {{"WHAT", &options.what, "the number of a process, a .buf file, a folder of them"},
       {"--pause", &options.pause, "record no more events, until --continue"},
       {"--continue", &options.go_on, "events again", {.excludes = "--pause"}},
       {"--json", &options.json, "one JSON object a line"},
       dir_option()}};
  auto parsed = parse(verb, arguments);
  NOPHOOK_TRY(parsed);
  if (!*parsed)
    return kExitOk;
  if (options.what.empty())
    return Error{"stat", "",
                 "name a process, a buffer or a folder (nophook recover --list shows them)",
                 kExitUsage};
  auto buffers = choose_buffers(options.what);
  NOPHOOK_TRY(buffers);
  Output output;
  for (const FoundBuffer &found : *buffers) {
    if (options.pause || options.go_on) {
      auto shared = SharedBuffer::open(found.path);
      NOPHOOK_TRY(shared);
      shared->pause(options.pause);
    }
    auto buffer = SharedBuffer::open_copy(found.path);
    NOPHOOK_TRY(buffer);
    auto rings = ring_stats(*buffer);
    options.json ? print_json(output, *buffer, found, rings)
                 : print_text(output, *buffer, found, rings);
  }
  NOPHOOK_TRY(output.flush());
  return kExitOk;
}

} // namespace nophook
