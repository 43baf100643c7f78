// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes lines at the offset of the read, and keeps the last ones.

#include "show/live/trace_file.h"

#include <unistd.h>

namespace nophook {

namespace {

constexpr size_t kMostText = 32 << 20;
constexpr size_t kPortion = 64 << 10;

} // namespace

Result<std::unique_ptr<TraceFile>> TraceFile::open(SharedBuffer &buffer,
                                                   const TraceOptions &options, int cpu) {
  auto file = std::make_unique<TraceFile>();
  // The events are read first: their functions are in the list then, and they are before the
  // present time.
  file->events_ = std::make_unique<LiveEvents>(buffer, LiveEvents::Use::kLook);
  auto text = LiveText::create(buffer, options);
  NOPHOOK_TRY(text);
  file->text_ = std::move(*text);
  file->cpu_ = cpu;
  EntryCounts entries = file->events_->entries(cpu);
  file->text_->header(entries);
  return file;
}

void TraceFile::make(uint64_t end) {
  Thread *thread;
  Step step;
  while (!is_whole_ && kept_from_ + kept_.size() < end) {
    while (text_->size() < kPortion && events_->next(&thread, &step))
      if (cpu_ == kAllCpus || step.cpu == (uint32_t)cpu_)
        text_->step(*thread, step);
    if (text_->size() < kPortion) {
      text_->finish();
      is_whole_ = true;
    }
    kept_ += text_->take();
    if (kept_.size() > kMostText) {
      kept_from_ += kMostText / 2;
      kept_.erase(0, kMostText / 2);
    }
  }
}

std::string TraceFile::read(uint64_t offset, size_t bytes) {
  make(offset + bytes);
  if (offset < kept_from_ || offset - kept_from_ >= kept_.size())
    return "";
  return kept_.substr(offset - kept_from_, bytes);
}

std::string empty_trace() {
  return fmt::format("# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:{}\n#\n"
                     "#           TASK-TID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
                     "#              | |         |   |||||     |         |\n",
                     sysconf(_SC_NPROCESSORS_ONLN));
}

} // namespace nophook
