// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "trace_dat/convert.h"

#include "drain/recover.h"
#include "live/kernel_pages.h"
#include "live/kernel_symbols.h"
#include "print/closing_notes.h"
#include "print/profile_text.h"
#include "trace_dat/trace_dat.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

Result<> convert_to_trace_dat(const std::string &path, const std::string &output) {
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  if (is_profile_recording(*recording))
    return error_at(path, "is a profile: there are no events to convert");
  auto dat = TraceDat::create(output);
  NOPHOOK_TRY(dat);
  Functions functions(*recording);
  KernelSymbols symbols(functions);
  KernelPages pages(kKernelPageBytes, &symbols);
  std::map<int32_t, const Thread *> threads;
  Merge merge(*recording);
  Thread *thread;
  Step step;
  while (merge.next(&thread, &step)) {
    threads[thread->tid()] = thread; // a number may be used again: the last one's name counts
    uint32_t cpu = pages.add(functions, recording->clock(), *thread, step);
    if (pages.waiting(cpu))
      dat->add_page(cpu, pages.take(cpu, false));
  }
  pages.flush();
  for (uint32_t cpu = 0; cpu < pages.cpus(); cpu++)
    for (std::string page; !(page = pages.take(cpu, true)).empty();)
      dat->add_page(cpu, page);

  TraceDat::About about;
  about.cpus = (uint32_t)std::clamp<int64_t>(recording->info().number("cpus"), 1, 1 << 12);
  about.symbols = symbols.text();
  about.clock = recording->clock().counts_events ? "counter" : "mono";
  for (auto [tid, named] : threads)
    about.threads += fmt::format("{} {}\n", tid, named->comm());
  NOPHOOK_TRY(dat->finish(about));
  return tell_closing_notes(*recording, functions, merge.skipped());
}

} // namespace nophook
