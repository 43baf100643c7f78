// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook top: the busiest functions of a running process, again and again. The profiler counts.
// When the command ends, the process gets its own settings back.

#include "foundation/counted.h"
#include "foundation/identity.h"
#include "foundation/json.h"
#include "foundation/output.h"
#include "foundation/process.h"
#include "foundation/time_text.h"
#include "process/attach/serve_process.h"
#include "process/control/choose.h"
#include "process/control/tree.h"
#include "process/drain/dir_option.h"
#include "process/launch/restored_files.h"
#include "process/launch/typed_filters.h"
#include "read/select/selection.h"
#include "show/print/colours.h"
#include "show/top/sampler.h"
#include "show/top/screen.h"
#include "verbs.h"

#include <csignal>
#include <ctime>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr std::chrono::milliseconds kShortest(10);

struct Options {
  bool calls = false;
  std::vector<std::string> filters, notraces;
  uint64_t rows = 0; // most rows; 0: as many as the terminal has room for, or all
  std::chrono::nanoseconds interval = std::chrono::seconds(1);
  bool once = false, json = false;
  NamesOption names;
};

std::string count_text(uint64_t count) {
  return count < 10'000'000      ? fmt::format("{}", count)
         : count < 9'999'500'000 ? fmt::format("{:.0f}M", (double)count / 1e6)
                                 : fmt::format("{:.0f}G", (double)count / 1e9);
}

std::string time_text(uint64_t ns) {
  return ns < 1'000'000 ? fmt::format("{:.3f} us", (double)ns / 1e3)
                        : fmt::format("{:.3f} ms", (double)ns / 1e6);
}

// The CPU time that the whole process has used; none if it has ended.
std::optional<std::chrono::nanoseconds> cpu_time(int32_t pid) {
  clockid_t clock;
  timespec time;
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::string name_of(int32_t pid) {
  std::string name = read_small_file(fmt::format("/proc/{}/comm", pid));
  return printable(name.substr(0, name.find('\n')));
}

// A table: two lines of sums and titles, then a line for each function. `cpus` is CPU time for each
// second; the times of functions are wall time, in which a function may sleep.
std::string table(const std::string &title, const std::vector<FunctionRate> &rates, double seconds,
                  double cpus, size_t rows) {
  uint64_t calls = 0;
  for (const FunctionRate &rate : rates)
    calls += rate.calls;
  std::string text = fmt::format("{}: {} calls/s of {}, {:.0f} % of a CPU\n", title,
                                 count_text((uint64_t)((double)calls / seconds)),
                                 counted(rates.size(), "function"), 100 * cpus);
  text += fmt::format("{:>7} {:>10} {:>13} {:>12}  {}\n", "SELF %", "CALLS/s", "AVERAGE",
                      "ALL CALLS", "FUNCTION");
  for (size_t i = 0; i < std::min(rates.size(), rows); i++) {
    const FunctionRate &rate = rates[i];
    text += fmt::format("{:>7.2f} {:>10} {:>13} {:>12}  {}\n", 100 * rate.self,
                        count_text((uint64_t)((double)rate.calls / seconds)),
                        time_text(rate.average_ns), rate.all_calls, rate.function);
  }
  return text;
}

class Top {
public:
  Top(int32_t pid, std::string title, ProfileSampler sampler, const Options &options,
      FileDescriptor signals)
      : pid_(pid), title_(std::move(title)), sampler_(std::move(sampler)), options_(options),
        signals_(std::move(signals)) {}

  Result<> once();
  Result<> watch();

private:
  // Waits for the interval. False: the command has to end.
  bool wait(const std::function<void()> &redraw);
  Result<> look();
  std::string text(size_t rows) const { return table(title_, rates_, seconds_, cpus_, rows); }

  using Clock = std::chrono::steady_clock;

  const int32_t pid_;
  const std::string title_;
  ProfileSampler sampler_;
  const Options options_;
  FileDescriptor signals_;
  std::vector<FunctionRate> rates_;
  Clock::time_point last_ = Clock::now();
  double seconds_ = 1;
  std::optional<std::chrono::nanoseconds> cpu_time_ = cpu_time(pid_);
  double cpus_ = 0;
};

bool Top::wait(const std::function<void()> &redraw) {
  auto until = Clock::now() + options_.interval;
  pollfd ready[] = {{signals_.get(), POLLIN, 0}, {options_.once ? -1 : STDIN_FILENO, POLLIN, 0}};
  for (;;) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0)
      return !process_is_gone(pid_);
    ::poll(ready, 2, (int)std::min<int64_t>(left.count(), 1000));
    signalfd_siginfo signal;
    while (::read(signals_.get(), &signal, sizeof signal) == sizeof signal)
      if (signal.ssi_signo != SIGWINCH)
        return false;
      else
        redraw();
    char key = 0;
    if (ready[1].revents && ::read(STDIN_FILENO, &key, 1) <= 0)
      ready[1].fd = -1; // standard input has ended
    if (key == 'q' || process_is_gone(pid_))
      return false;
  }
}

Result<> Top::look() {
  auto rates = sampler_.look();
  NOPHOOK_TRY(rates);
  rates_ = std::move(*rates);
  auto now = Clock::now();
  seconds_ = std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  if (auto used = cpu_time(pid_); used && cpu_time_) {
    cpus_ = std::chrono::duration<double>(*used - *cpu_time_).count() / seconds_;
    cpu_time_ = used;
  }
  return {};
}

Result<> Top::once() {
  // A signal ends the wait early: the table is of a shorter time.
  (void)wait([] {});
  NOPHOOK_TRY(look());
  size_t rows = options_.rows ? options_.rows : SIZE_MAX;
  Output output;
  if (!options_.json) {
    show_on(output, Terminal::of_stdout());
    output.lines(text(rows));
  } else
    for (size_t i = 0; i < std::min(rates_.size(), rows); i++)
      output.line("{}", Json({{"function", rates_[i].function},
                              {"calls", rates_[i].calls},
                              {"all_calls", rates_[i].all_calls},
                              {"self_ns", rates_[i].self_ns},
                              {"average_ns", rates_[i].average_ns}})
                            .text());
  return output.flush();
}

Result<> Top::watch() {
  {
    Screen screen;
    auto draw = [&] {
      size_t rows = screen.rows() - std::min<size_t>(screen.rows(), 2);
      screen.draw(text(options_.rows ? std::min<size_t>(rows, options_.rows) : rows));
    };
    draw();
    while (wait(draw)) {
      NOPHOOK_TRY(look());
      draw();
    }
  }
  constexpr size_t kLeft = 10; // rows that stay on the terminal's own screen
  Output output;
  show_on(output, Terminal::of_stdout());
  output.lines(text(options_.rows ? options_.rows : kLeft));
  return output.flush();
}

Result<> begin(ControlTree &tree, RestoredFiles &files, const Options &options) {
  std::string tracer;
  // If reading fails, the name is empty, so the check below returns an error.
  (void)tree.read("current_tracer", &tracer);
  if (tracer != "nop\n" && tracer != "profile\n")
    return error_at(fmt::format("process {}", tree.pid()),
                    fmt::format("is being traced by {}; nophook reset ends that",
                                printable(tracer.substr(0, tracer.find('\n')))));
  if (options.calls)
    NOPHOOK_TRY(files.write("calls", "1"));
  if (!options.filters.empty())
    NOPHOOK_TRY(
        files.write("set_ftrace_filter", fmt::format("{}", fmt::join(options.filters, " "))));
  if (!options.notraces.empty())
    NOPHOOK_TRY(
        files.write("set_ftrace_notrace", fmt::format("{}", fmt::join(options.notraces, " "))));
  if (tracer != "profile\n")
    NOPHOOK_TRY(files.write("function_profile_enabled", "1"));
  return files.write("tracing_on", "1");
}

Result<> run(int32_t pid, Options options) {
  auto lock = SettingsLock::take(pid, [] { return Result<>(); });
  NOPHOOK_TRY(lock);
  NOPHOOK_TRY(serve_process(pid));
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  TracedNames names;
  const std::vector<std::string> typed = options.filters;
  if (!options.filters.empty() || !options.notraces.empty()) {
    names = names_of_process(pid);
    for (auto *list : {&options.filters, &options.notraces})
      *list = translated(names, *list);
  }
  FileDescriptor signals = // taken before there is anything to restore
      take_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGWINCH});
  RestoredFiles files(std::move(*client), pid, std::move(*lock));
  Result<> done = begin(**tree, files, options);
  if (!done)
    done = with_absences(done.error(), names, typed);
  if (done) {
    auto sampler = ProfileSampler::open(
        (*tree)->buffer(""),
        options.names.style(Terminal::of_stdout().is_terminal && !options.json));
    if (sampler) {
      Top top(pid, fmt::format("nophook top {} ({})", pid, name_of(pid)), std::move(*sampler),
              options, std::move(signals));
      done = options.once ? top.once() : top.watch();
    } else {
      done = sampler.error();
    }
  }
  Result<> restored = process_is_gone(pid) ? Result<>() : files.restore();
  NOPHOOK_TRY(done);
  return restored;
}

} // namespace

Result<int> top_verb(const Arguments &arguments) {
  Options options;
  std::optional<int32_t> pid;
  std::string interval;
  const VerbOptions verb = {
      "nophook top",
      "Shows the busiest functions of a process, again and again; q ends it.",
      {{"PID", &pid, "the process; the default is the only one that serves"},
       {"--calls", &options.calls, "count calls of functions in libraries, too: malloc, read"},
       {"-l,--filter",
        &options.filters,
        "count only functions that match; repeatable",
        {.type = "GLOB"}},
       {"-n,--notrace",
        &options.notraces,
        "leave out functions that match; repeatable",
        {.type = "GLOB"}},
       {"-N,--rows", &options.rows, "at most N functions", {.type = "N"}},
       {"-d,--interval", &interval, "the length of an interval (1s; 500ms)", {.type = "TIME"}},
       {"--once", &options.once,
        "show one interval, as text, and end; the default without a terminal"},
       {"--json", &options.json, "the same, one JSON object a line"},
       options.names.row(),
       dir_option()}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (!interval.empty()) {
    uint64_t ns = 0;
    if (std::string problem = parse_time(interval, &ns); !problem.empty())
      return Error{"top", "--interval", problem, kExitUsage};
    options.interval = std::max<std::chrono::nanoseconds>(std::chrono::nanoseconds(ns), kShortest);
  }
  options.once |= options.json || !::isatty(STDOUT_FILENO);
  auto chosen = choose_process(pid);
  NOPHOOK_TRY(chosen);
  NOPHOOK_TRY(run(*chosen, options));
  return kExitOk;
}

} // namespace nophook
