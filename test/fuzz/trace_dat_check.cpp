// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a recording has in it, what it is converted to is a trace.dat: trace-cmd.dat.v6(5) and
// trace-cmd.dat.v7(5), with the same pages, as include/nophook/kernel_events.h has them.

#include "foundation/file.h"
#include "reader_fuzz.h"
#include "verbs.h"

#include <nophook/kernel_events.h>

#include <cstring>
#include <map>
#include <unistd.h>
#include <zstd.h>

namespace nophook {

namespace {

constexpr uint32_t kPage = 4096, kMostCpus = 8192; // limits of Linux

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

void check_pages(std::string_view bytes) {
  demand(bytes.size() % kPage == 0, "trace.dat: a part of a page");
  for (size_t at = 0; at < bytes.size(); at += kPage)
    check_page(bytes.substr(at, kPage));
}

// Two sizes, and that many bytes.
std::string unpacked(Cursor *cursor) {
  uint32_t packed = cursor->number<uint32_t>(), bytes = cursor->number<uint32_t>();
  std::string_view frame = cursor->take(packed);
  demand(bytes <= 64 << 20, "trace.dat: a chunk that is too large");
  std::string text(bytes, '\0');
  demand(ZSTD_decompress(text.data(), bytes, frame.data(), frame.size()) == bytes,
         "trace.dat: a chunk that cannot be unpacked");
  return text;
}

void check_head(Cursor *cursor, const char *version) {
  demand(cursor->take(10) == "\x17\x08\x44tracing", "trace.dat: no magic");
  cursor->word(version);
  demand(cursor->number<uint16_t>() == 8 << 8, "trace.dat: byte order and size of long");
  demand(cursor->number<uint32_t>() == kPage, "trace.dat: size of pages");
}

// Returns the bytes of all pages.
uint64_t check_trace_dat_6(std::string_view file) {
  Cursor cursor{file};
  check_head(&cursor, "6");
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
  uint64_t all = 0;
  for (; cpus; cpus--) {
    uint64_t offset = cursor.number<uint64_t>(), bytes = cursor.number<uint64_t>();
    demand(offset <= file.size() && bytes <= file.size() - offset && bytes % kPage == 0,
           "trace.dat: a CPU's events are outside of it");
    check_pages(file.substr(offset, bytes));
    all += bytes;
  }
  return all;
}

uint64_t check_trace_dat_7(std::string_view file) {
  Cursor cursor{file};
  check_head(&cursor, "7");
  cursor.word("zstd");
  while (cursor.number<char>())
    ;
  uint64_t options_at = cursor.number<uint64_t>();
  std::map<uint64_t, std::pair<uint16_t, std::string>> sections; // by place: their numbers
  while (!cursor.rest.empty()) {
    uint64_t at = file.size() - cursor.rest.size();
    uint16_t id = cursor.number<uint16_t>(), flags = cursor.number<uint16_t>();
    cursor.number<uint32_t>();
    Cursor content{cursor.take(cursor.number<uint64_t>())};
    bool is_block = flags == 1 && id != 3;
    sections[at] = {id, is_block ? unpacked(&content) : std::string(content.rest)};
    demand(!is_block || content.rest.empty(), "trace.dat: a section has a rest");
    if (id == 19 || id == 21) { // symbols, threads
      Cursor lines{sections[at].second};
      check_lines(lines.take(id == 19 ? lines.number<uint32_t>() : lines.number<uint64_t>()));
    }
  }
  demand(sections.contains(options_at) && sections[options_at].first == 0, "no options");
  uint64_t all = 0;
  Cursor options{sections[options_at].second};
  for (uint16_t id; (id = options.number<uint16_t>());) {
    Cursor option{options.take(options.number<uint32_t>())};
    if (id >= 16)
      demand(sections[option.number<uint64_t>()].first == id, "trace.dat: another section");
    if (id != 3)
      continue;
    demand(sections[option.number<uint64_t>()].first == 3, "trace.dat: no events");
    option.word("");
    while (option.number<char>())
      ;
    demand(option.number<uint32_t>() == kPage, "trace.dat: size of pages");
    for (uint32_t cpus = option.number<uint32_t>(); cpus; cpus--) {
      option.number<uint32_t>();
      uint64_t offset = option.number<uint64_t>(), bytes = option.number<uint64_t>();
      demand(offset <= file.size() && bytes <= file.size() - offset, "events are outside");
      Cursor chunks{file.substr(offset, bytes)};
      for (uint32_t count = bytes ? chunks.number<uint32_t>() : 0; count; count--) {
        std::string pages = unpacked(&chunks);
        check_pages(pages);
        all += pages.size();
      }
      demand(chunks.rest.empty(), "trace.dat: a CPU's events have a rest");
    }
  }
  return all;
}

} // namespace

void check_export(const std::string &recording) {
  static const std::string kOutput = "fuzz_export." + std::to_string(::getpid());
  auto check = [&](const std::vector<std::string> &options, auto check_file) -> uint64_t {
    ::unlink(kOutput.c_str());
    std::vector<std::string> arguments = {"--format", "trace.dat", "-o", kOutput, recording};
    arguments.insert(arguments.end(), options.begin(), options.end());
    check_verb(export_verb, arguments);
    uint64_t bytes = 0;
    if (auto file = MappedFile::open(kOutput)) // a profile is refused
      bytes = check_file({reinterpret_cast<const char *>(file->bytes().data()), file->size()});
    ::unlink(kOutput.c_str());
    return bytes;
  };
  demand(check({}, check_trace_dat_7) == check({"--uncompressed"}, check_trace_dat_6),
         "trace.dat: version 7 has other events than version 6");
}

} // namespace nophook
