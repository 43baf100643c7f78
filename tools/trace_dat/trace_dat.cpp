// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "trace_dat/trace_dat.h"

#include "base/created_file.h"
#include "live/kernel_pages.h"

#include <nophook/kernel_events.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr uint16_t kTraceClock = 4; // TRACECMD_OPTION_TRACECLOCK

template <class Number> std::string bytes_of(Number number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

template <class Number> std::string with_size(const std::string &text) {
  return bytes_of((Number)text.size()) + text;
}

std::string with_end(std::string_view word) {
  return std::string(word) + '\0';
}

// Takes what the texts of kernel_events.h are made by.
struct Adder {
  std::string *text;
  void operator()(const char *words) const { *text += words; }
  void operator()(uint64_t number) const { *text += fmt::format("{}", number); }
};

// What says how events are to be read: the kernel's own files.
std::string formats() {
  std::string page, events;
  kernel_page_text(kKernelPageBytes, Adder{&page});
  for (const KernelEvent &event : kKernelEvents) {
    std::string text;
    kernel_format_text(event, Adder{&text});
    events += with_size<uint64_t>(text);
  }
  constexpr uint32_t kSystems = 0; // of events other than tracers'
  return with_end("header_page") + with_size<uint64_t>(page) + with_end("header_event") +
         with_size<uint64_t>(kKernelEntryText) + bytes_of((uint32_t)std::size(kKernelEvents)) +
         events + bytes_of(kSystems);
}

std::string begin() {
  constexpr uint8_t kLittleEndian = 0, kLongBytes = 8;
  return std::string("\x17\x08\x44") + "tracing" + with_end("6") + bytes_of(kLittleEndian) +
         bytes_of(kLongBytes) + bytes_of(kKernelPageBytes);
}

std::string options(const std::string &clock) {
  return "options  " + std::string(1, '\0') + bytes_of(kTraceClock) +
         with_size<uint32_t>(with_end(clock + "\n")) + bytes_of(uint16_t{0});
}

} // namespace

Result<TraceDat> TraceDat::create(const std::string &path) {
  TraceDat dat;
  dat.path_ = path;
  auto file = create_file(path);
  NOPHOOK_TRY(file);
  dat.file_ = std::move(*file);
  std::string beside = path + ".XXXXXX";
  dat.pages_ = FileDescriptor(::mkostemp(beside.data(), O_CLOEXEC));
  if (!dat.pages_.valid())
    return system_error(beside, "cannot be created");
  ::unlink(beside.c_str());
  return dat;
}

void TraceDat::write(FileDescriptor &file, const std::string &bytes) {
  if (!error_ && !write_all(file.get(), bytes.data(), bytes.size()))
    error_ = errno ? errno : EIO;
}

void TraceDat::add_page(uint32_t cpu, const std::string &page) {
  by_cpu_[cpu].push_back(page_count_++ * kKernelPageBytes);
  write(pages_, page);
}

void TraceDat::copy_page(uint64_t offset) {
  std::string page(kKernelPageBytes, '\0');
  if (!error_ &&
      ::pread(pages_.get(), page.data(), page.size(), (off_t)offset) != (ssize_t)page.size())
    error_ = EIO;
  write(file_, page);
}

Result<> TraceDat::finish(const About &about) {
  uint32_t cpus = std::max(about.cpus, by_cpu_.empty() ? 0 : by_cpu_.rbegin()->first + 1);
  std::string clock = fmt::format("[{}]", about.clock);
  std::string head = begin() + formats() + with_size<uint32_t>(about.symbols) +
                     bytes_of(uint32_t{0}) + // formats of trace_printk
                     with_size<uint64_t>(about.threads) + bytes_of(cpus) + options(clock) +
                     with_end("flyrecord");
  // Where each CPU's pages are, then the clock again.
  uint64_t end = head.size() + cpus * 2 * sizeof(uint64_t) + sizeof(uint64_t) + clock.size();
  uint64_t at = (end + kKernelPageBytes - 1) / kKernelPageBytes * kKernelPageBytes;
  uint64_t offset = at;
  for (uint32_t cpu = 0; cpu < cpus; cpu++) {
    uint64_t bytes = by_cpu_[cpu].size() * kKernelPageBytes;
    head += bytes_of(offset) + bytes_of(bytes);
    offset += bytes;
  }
  head += with_size<uint64_t>(clock);
  head.resize(at);
  write(file_, head);
  for (const auto &[cpu, pages] : by_cpu_)
    for (uint64_t page : pages)
      copy_page(page);
  if (!error_ && ::close(file_.release()) != 0)
    error_ = errno;
  errno = error_;
  if (error_)
    return system_error(path_, "cannot be written");
  return {};
}

} // namespace nophook
