// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/look_list.h"

#include <algorithm>
#include <charconv>

namespace nophook {

namespace {

// The bytes below its stack pointer that a function may use; a trampoline jumps by a word there.
constexpr uint64_t kRedZoneBytes = 128;
// The limit for one frame. Frames of the runtime are far smaller.
constexpr uint64_t kMostFrameBytes = 1 << 20;
constexpr uint64_t kChunkWords = 8192, kMostStackBytes = 64 << 20; // limit for a sleeping thread

bool contain(const std::vector<LookRange> &ranges, uint64_t address) {
  return std::ranges::any_of(ranges,
                             [=](const LookRange &range) { return range.contains(address); });
}

// Takes a blank and a number from the front of the line.
template <class Number> bool take(std::string_view *line, Number *number, int base) {
  if (line->starts_with(' '))
    line->remove_prefix(1);
  const auto [end, error] =
      std::from_chars(line->data(), line->data() + line->size(), *number, base);
  if (error != std::errc())
    return false;
  line->remove_prefix((size_t)(end - line->data()));
  return true;
}

bool take_kind(std::string_view *line, std::string_view kind) {
  if (!line->starts_with(kind))
    return false;
  line->remove_prefix(kind.size());
  return true;
}

bool parse_line(std::string_view line, LookList *list) {
  LookRange range;
  Look::Thread thread;
  if (take_kind(&line, "look ")) {
    list->looks.emplace_back();
    return take(&line, &list->looks.back().number, 16) && line.empty();
  }
  if (take_kind(&line, "way ")) {
    list->ways.emplace_back();
    return take(&line, &list->ways.back().start, 16) && take(&line, &list->ways.back().end, 16) &&
           line.empty();
  }
  if (list->looks.empty())
    return false;
  Look &look = list->looks.back();
  if (take_kind(&line, "code ") && take(&line, &range.start, 16) && take(&line, &range.end, 16)) {
    look.code.push_back(range);
    return line.empty();
  }
  if (take_kind(&line, "thread ") && take(&line, &thread.tid, 10) &&
      take(&line, &thread.state, 16)) {
    look.threads.push_back(thread);
    return line.empty();
  }
  return false;
}

bool has_word_in(uint64_t from, uint64_t to, const std::vector<LookRange> &code,
                 const ReadMemory &read) {
  if (to < from || to - from > kMostFrameBytes)
    return true;
  std::vector<uint64_t> words((to - from) / 8);
  return !words.empty() &&
         (!read(from, words.data(), words.size() * 8) ||
          std::ranges::any_of(words, [&](uint64_t word) { return contain(code, word); }));
}

} // namespace

std::optional<LookList> parse_looks(std::string_view text) {
  LookList list;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!parse_line(line, &list))
      return {};
  }
  return list;
}

std::optional<size_t> frame_inside(const UnwoundStack &stack, const Look &look,
                                   const std::vector<LookRange> &ways, const ReadMemory &read) {
  const auto &frames = stack.frames;
  for (size_t i = 0; i < frames.size(); i++)
    if (contain(look.code, frames[i].pc))
      return i;
  for (size_t i = 0; i < frames.size(); i++) {
    const uint64_t end = i + 1 < frames.size() ? frames[i + 1].sp : frames[i].sp;
    if (contain(ways, frames[i].pc) &&
        has_word_in(frames[i].sp - kRedZoneBytes, end, look.code, read))
      return i;
  }
  return {};
}

std::optional<uint64_t> word_inside(uint64_t pc, uint64_t sp, uint64_t end, const Look &look,
                                    const ReadMemory &read) {
  if (contain(look.code, pc))
    return pc;
  std::vector<uint64_t> words(kChunkWords);
  for (uint64_t at = sp & ~uint64_t{7}; at < end && at - sp < kMostStackBytes;) {
    words.resize(std::min<uint64_t>(kChunkWords, (end - at) / 8));
    if (words.empty() || !read(at, words.data(), words.size() * 8))
      return {};
    for (const uint64_t word : words)
      if (contain(look.code, word))
        return word;
    at += words.size() * 8;
  }
  return {};
}

} // namespace nophook
