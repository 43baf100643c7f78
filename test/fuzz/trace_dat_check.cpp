// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a recording has in it, what it is converted to is a trace.dat: trace-cmd.dat.v6(5), and
// pages as include/nophook/kernel_events.h has them.

#include "base/file.h"
#include "reader_fuzz.h"
#include "verbs.h"

#include <nophook/kernel_events.h>

#include <cstring>
#include <unistd.h>

namespace nophook {

namespace {

constexpr uint32_t kPage = 4096, kMostCpus = 8192; // of Linux

struct Cursor {
  std::string_view rest;

  std::string_view take(uint64_t bytes) {
    demand(bytes <= rest.size(), "trace.dat ends before its time");
    std::string_view taken = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return taken;
  }
  template <class Number> Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  void word(std::string_view expected) {
    demand(take(expected.size()) == expected, "trace.dat: no " + std::string(expected));
    demand(number<char>() == 0, "trace.dat: a word has no end");
  }
};

void check_lines(std::string_view text) {
  demand(text.empty() || text.back() == '\n', "trace.dat: a line without an end");
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    std::string_view line = text.substr(at, end - at);
    demand(line.find(' ') != std::string_view::npos && line.find('\0') == std::string_view::npos,
           "trace.dat: a line that is none");
  }
}

// Entries end where the page says.
void check_page(std::string_view page) {
  Cursor cursor{page};
  cursor.number<uint64_t>(); // time
  uint64_t used = cursor.number<uint64_t>() & ((1u << 27) - 1);
  demand(used <= cursor.rest.size(), "a page has more than there is");
  Cursor entries{cursor.rest.substr(0, used)};
  while (!entries.rest.empty()) {
    uint32_t length = entries.number<uint32_t>() & 31;
    if (length == kKernelTimeExtend) {
      entries.number<uint32_t>();
      continue;
    }
    demand(length <= kKernelMaxTypeLen, "a page has an entry of no kind");
    uint32_t bytes = length * 4;
    if (!length) {
      bytes = entries.number<uint32_t>();
      demand(bytes > 4 && bytes % 4 == 0, "a page has a long entry without bytes");
      bytes -= 4;
    }
    demand(entries.take(bytes).size() >= sizeof(KernelCommon), "a record has no head");
  }
}

void check_trace_dat(std::string_view file) {
  Cursor cursor{file};
  demand(cursor.take(10) == "\x17\x08\x44tracing", "trace.dat: no magic");
  cursor.word("6");
  demand(cursor.number<uint16_t>() == 8 << 8, "trace.dat: byte order and size of long");
  demand(cursor.number<uint32_t>() == kPage, "trace.dat: size of pages");
  for (const char *head : {"header_page", "header_event"}) {
    cursor.word(head);
    cursor.take(cursor.number<uint64_t>());
  }
  for (uint32_t formats = cursor.number<uint32_t>(); formats; formats--)
    cursor.take(cursor.number<uint64_t>());
  demand(cursor.number<uint32_t>() == 0, "trace.dat: systems of events");
  check_lines(cursor.take(cursor.number<uint32_t>())); // symbols
  cursor.take(cursor.number<uint32_t>());
  check_lines(cursor.take(cursor.number<uint64_t>())); // threads
  uint32_t cpus = cursor.number<uint32_t>();
  demand(cpus && cpus <= kMostCpus, "trace.dat: CPUs that no machine has");
  cursor.word("options  ");
  while (cursor.number<uint16_t>())
    cursor.take(cursor.number<uint32_t>());
  cursor.word("flyrecord");
  for (; cpus; cpus--) {
    uint64_t offset = cursor.number<uint64_t>(), bytes = cursor.number<uint64_t>();
    demand(offset <= file.size() && bytes <= file.size() - offset && bytes % kPage == 0,
           "trace.dat: a CPU's events are outside of it");
    for (uint64_t at = 0; at < bytes; at += kPage)
      check_page(file.substr(offset + at, kPage));
  }
}

} // namespace

void check_export(const std::string &recording) {
  static const std::string kOutput = "fuzz_export." + std::to_string(::getpid());
  ::unlink(kOutput.c_str());
  check_verb(export_verb, {"--format", "trace.dat", "-o", kOutput, recording});
  if (auto file = MappedFile::open(kOutput)) // a profile is refused
    check_trace_dat({reinterpret_cast<const char *>(file->bytes().data()), file->size()});
  ::unlink(kOutput.c_str());
}

} // namespace nophook
