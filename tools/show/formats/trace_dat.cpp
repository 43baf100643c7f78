// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording as trace.dat. Facts that the kernel's format has no place for are left out: arguments
// and results of calls, and the process of each thread. An event made by text is a mark with its
// text.

#include "show/trace_dat/trace_dat.h"
#include "show/formats/event_format.h"
#include "show/live/kernel_pages.h"
#include "show/live/kernel_symbols.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

namespace {

class TraceDatFormat : public EventFormat {
public:
  explicit TraceDatFormat(const FormatContext &context)
      : context_(context), symbols_(context.functions), pages_(kKernelPageBytes, &symbols_) {}

  Result<> begin() override {
    auto dat = TraceDat::create(context_.path, context_.recording.file().descriptor(),
                                !context_.uncompressed);
    NOPHOOK_TRY(dat);
    dat_.emplace(std::move(*dat));
    return {};
  }

  Result<> step(const Thread &thread, const Step &step) override {
    threads_[thread.tid()] = &thread; // the last name of a reused number counts
    uint32_t cpu = pages_.add(context_.functions, context_.recording.clock(), thread, step);
    if (pages_.waiting(cpu))
      dat_->add_page(cpu, pages_.take(cpu, false));
    return {};
  }

  Result<> finish() override {
    pages_.flush();
    for (uint32_t cpu = 0; cpu < pages_.cpus(); cpu++)
      for (std::string page; !(page = pages_.take(cpu, true)).empty();)
        dat_->add_page(cpu, page);
    const Recording &recording = context_.recording;
    TraceDat::About about;
    about.cpus = (uint32_t)std::clamp<int64_t>(recording.info().number("cpus"), 1, 1 << 12);
    about.symbols = symbols_.text();
    about.clock = recording.clock().counts_events ? "counter" : "mono";
    for (auto [tid, named] : threads_)
      about.threads += fmt::format("{} {}\n", tid, named->comm());
    return dat_->finish(about);
  }

private:
  FormatContext context_;
  KernelSymbols symbols_;
  KernelPages pages_;
  std::optional<TraceDat> dat_;
  std::map<int32_t, const Thread *> threads_;
};

} // namespace

std::unique_ptr<EventFormat> make_trace_dat(const FormatContext &context) {
  return std::make_unique<TraceDatFormat>(context);
}

} // namespace nophook
