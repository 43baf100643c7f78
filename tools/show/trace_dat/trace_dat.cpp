// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the sections of trace.dat in both versions.

#include "show/trace_dat/trace_dat.h"

#include "foundation/derived_file.h"
#include "show/live/kernel_pages.h"

#include <nophook/kernel_events.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

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

// Collects the texts of kernel_events.h.
struct Adder {
  std::string *text;
  void operator()(const char *words) const { *text += words; }
  void operator()(uint64_t number) const { *text += fmt::format("{}", number); }
};

std::string header_texts() {
  std::string page;
  kernel_page_text(kKernelPageBytes, Adder{&page});
  return with_end("header_page") + with_size<uint64_t>(page) + with_end("header_event") +
         with_size<uint64_t>(kKernelEntryText);
}

// The descriptions of events: the kernel's own files.
std::string event_formats() {
  std::string events;
  for (const KernelEvent &event : kKernelEvents) {
    std::string text;
    kernel_format_text(event, Adder{&text});
    events += with_size<uint64_t>(text);
  }
  return bytes_of((uint32_t)std::size(kKernelEvents)) + events;
}

// No events of other systems, no formats of trace_printk.
const std::string kNone = bytes_of(uint32_t{0});

std::string begin(const char *version) {
  constexpr uint8_t kLittleEndian = 0, kLongBytes = 8;
  return std::string("\x17\x08\x44") + "tracing" + with_end(version) + bytes_of(kLittleEndian) +
         bytes_of(kLongBytes) + bytes_of(kKernelPageBytes);
}

std::string option(uint16_t id, const std::string &content) {
  return bytes_of(id) + with_size<uint32_t>(content);
}

std::string clock_option(const std::string &clock) {
  return option(kTraceClock, with_end(clock + "\n"));
}

uint64_t whole_pages(uint64_t bytes) {
  return (bytes + kKernelPageBytes - 1) / kKernelPageBytes * kKernelPageBytes;
}

// Larger chunks are hardly smaller when they are compressed, and trace-cmd holds one of each CPU.
constexpr size_t kChunkBytes = 64 * kKernelPageBytes;

constexpr int kLevel = 1; // level of compression; the third is 2 % smaller

} // namespace

struct TraceDat::Compressor {
  Compressor() : zstd(ZSTD_createCCtx()) {}
  ~Compressor() { ZSTD_freeCCtx(zstd); }
  Compressor(const Compressor &) = delete;
  Compressor &operator=(const Compressor &) = delete;

  ZSTD_CCtx *zstd;
  std::string room;
};

TraceDat::TraceDat() = default;
TraceDat::TraceDat(TraceDat &&) noexcept = default;
TraceDat::~TraceDat() = default;

Result<TraceDat> TraceDat::create(const std::string &path, int recording, bool compressed) {
  TraceDat dat;
  dat.path_ = path;
  auto file = create_derived_file(path, std::array{recording});
  NOPHOOK_TRY(file);
  dat.file_ = std::move(*file);
  std::string beside = path + ".XXXXXX";
  dat.spool_ = FileDescriptor(::mkostemp(beside.data(), O_CLOEXEC));
  if (!dat.spool_.valid())
    return system_error(beside, "cannot be created");
  ::unlink(beside.c_str());
  if (compressed)
    dat.compressor_ = std::make_unique<Compressor>();
  return dat;
}

void TraceDat::write(FileDescriptor &file, std::string_view bytes) {
  if (!error_ && !write_all(file.get(), bytes.data(), bytes.size()))
    error_ = errno ? errno : EIO;
}

std::string TraceDat::compressed(std::string_view bytes) {
  std::string &room = compressor_->room;
  room.resize(ZSTD_compressBound(bytes.size()));
  size_t size = ZSTD_compressCCtx(compressor_->zstd, room.data(), room.size(), bytes.data(),
                                  bytes.size(), kLevel);
  if (ZSTD_isError(size)) {
    error_ = ENOMEM; // there is enough room for the result
    size = 0;
  }
  return bytes_of((uint32_t)size) + bytes_of((uint32_t)bytes.size()) + room.substr(0, size);
}

void TraceDat::add_page(uint32_t number, const std::string &page) {
  Cpu &cpu = by_cpu_[number];
  cpu.pages += page;
  if (cpu.pages.size() >= kChunkBytes)
    end_piece(cpu);
}

void TraceDat::end_piece(Cpu &cpu) {
  if (cpu.pages.empty())
    return;
  std::string chunk = compressor_ ? compressed(cpu.pages) : std::move(cpu.pages);
  cpu.pages.clear();
  cpu.pieces.push_back({spooled_, chunk.size()});
  cpu.bytes += chunk.size();
  spooled_ += chunk.size();
  write(spool_, chunk);
}

void TraceDat::copy_pieces(const Cpu &cpu) {
  std::string bytes;
  for (const Piece &piece : cpu.pieces) {
    bytes.resize(piece.bytes);
    if (!error_ && ::pread(spool_.get(), bytes.data(), bytes.size(), (off_t)piece.offset) !=
                       (ssize_t)bytes.size())
      error_ = EIO;
    write(file_, bytes);
  }
}

Result<> TraceDat::close() {
  if (!error_ && ::close(file_.release()) != 0)
    error_ = errno;
  errno = error_;
  if (error_)
    return system_error(path_, "cannot be written");
  return {};
}

Result<> TraceDat::finish(const About &about) {
  for (auto &[number, cpu] : by_cpu_)
    end_piece(cpu);
  uint32_t cpus = std::max(about.cpus, by_cpu_.empty() ? 0 : by_cpu_.rbegin()->first + 1);
  return compressor_ ? finish_7(about, cpus) : finish_6(about, cpus);
}

Result<> TraceDat::finish_6(const About &about, uint32_t cpus) {
  std::string clock = fmt::format("[{}]", about.clock);
  std::string head =
      begin("6") + header_texts() + event_formats() + kNone + with_size<uint32_t>(about.symbols) +
      kNone + with_size<uint64_t>(about.threads) + bytes_of(cpus) + "options  " +
      std::string(1, '\0') + clock_option(clock) + bytes_of(uint16_t{0}) + with_end("flyrecord");
  // The places of each CPU's pages, then the clock again.
  uint64_t at =
      whole_pages(head.size() + cpus * 2 * sizeof(uint64_t) + sizeof(uint64_t) + clock.size());
  uint64_t offset = at;
  for (uint32_t cpu = 0; cpu < cpus; cpu++) {
    head += bytes_of(offset) + bytes_of(by_cpu_[cpu].bytes);
    offset += by_cpu_[cpu].bytes;
  }
  head += with_size<uint64_t>(clock);
  head.resize(at);
  write(file_, head);
  for (const auto &[number, cpu] : by_cpu_)
    copy_pieces(cpu);
  return close();
}

std::string TraceDat::section(uint16_t id, const std::string &content) {
  constexpr uint16_t kCompressed = 1;
  constexpr uint32_t kNoDescription = 0;
  return bytes_of(id) + bytes_of(kCompressed) + bytes_of(kNoDescription) +
         with_size<uint64_t>(compressed(content));
}

// Writes sections behind each other: the descriptions of the events, the options, which have the
// places of the others, and the events.
Result<> TraceDat::finish_7(const About &about, uint32_t cpus) {
  constexpr uint16_t kOptions = 0, kBuffer = 3, kCpuCount = 8, kStrings = 15, kHeaderInfo = 16,
                     kFtraceEvents = 17, kEventFormats = 18, kSymbols = 19, kPrintk = 20,
                     kThreads = 21;
  constexpr uint64_t kSectionHead = 16;
  std::string head = begin("7") + with_end("zstd") + with_end(ZSTD_versionString());
  const size_t options_place = head.size();
  head += bytes_of(uint64_t{0});
  std::string options =
      clock_option(fmt::format("[{}]", about.clock)) + option(kCpuCount, bytes_of(cpus));
  for (const auto &[id, content] : {std::pair(kHeaderInfo, header_texts()),
                                    {kFtraceEvents, event_formats()},
                                    {kEventFormats, kNone},
                                    {kSymbols, with_size<uint32_t>(about.symbols)},
                                    {kPrintk, kNone},
                                    {kThreads, with_size<uint64_t>(about.threads)}}) {
    options += option(id, bytes_of((uint64_t)head.size()));
    head += section(id, content);
  }
  head += section(kStrings, with_end("")); // the sections' strings, which are not used

  // The buffer: each CPU's events are the number of its chunks, and the chunks.
  const std::string buffer = with_end("") + with_end(about.clock) + bytes_of(kKernelPageBytes) +
                             bytes_of(cpus); // the top level's CPUs, behind its place
  constexpr uint64_t kPerCpu = 4 + 8 + 8, kOptionHead = 6;
  uint64_t options_bytes = options.size() + kOptionHead + sizeof(uint64_t) + buffer.size() +
                           cpus * kPerCpu + kOptionHead + sizeof(uint64_t);
  uint64_t events_at = head.size() + kSectionHead + options_bytes;
  std::string places;
  uint64_t at = events_at + kSectionHead;
  for (uint32_t number = 0; number < cpus; number++) {
    const Cpu &cpu = by_cpu_[number];
    uint64_t bytes = cpu.pieces.empty() ? 0 : sizeof(uint32_t) + cpu.bytes;
    places += bytes_of(number) + bytes_of(at) + bytes_of(bytes);
    at += bytes;
  }
  options += option(kBuffer, bytes_of(events_at) + buffer + places) +
             option(kOptions, bytes_of(uint64_t{0})); // marks the end of the options
  const uint64_t options_at = head.size();
  std::memcpy(head.data() + options_place, &options_at, sizeof options_at);
  head += bytes_of(kOptions) + bytes_of(uint16_t{0}) + bytes_of(uint32_t{0}) +
          with_size<uint64_t>(options);
  head += bytes_of(kBuffer) + bytes_of(uint16_t{1}) + bytes_of(uint32_t{0}) +
          bytes_of(at - events_at - kSectionHead);
  write(file_, head);
  for (const auto &[number, cpu] : by_cpu_) {
    if (cpu.pieces.empty())
      continue;
    write(file_, bytes_of((uint32_t)cpu.pieces.size()));
    copy_pieces(cpu);
  }
  return close();
}

} // namespace nophook
