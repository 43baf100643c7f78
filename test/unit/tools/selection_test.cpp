// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The selected part of a recording: all four shapes of steps, with functions that are chosen, left
// out or hidden, and the times as they may be typed.

#include "synthetic.h"

#include "read/recording/packed.h"
#include "read/select/selection_options.h"
#include "read/steps/event_fields.h"
#include "show/formats/write_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

// The functions f1 to f4 of a module in first.c, and f5 to f9 of another one in second.c.
void write_modules(RecordingWriter &writer) {
  constexpr uint32_t kSite = 4; // behind the start of a function
  for (const auto &[path, source, first, last] :
       {std::tuple("/no/such/program", "src/first.c", 1u, 4u),
        std::tuple("/no/such/lib/second.so.1", "src/second.c", 5u, 9u)}) {
    RecordedNames names;
    names.path = path;
    names.build_id = {(uint8_t)first};
    std::string path_bytes = path;
    path_bytes.resize((path_bytes.size() + 4) / 4 * 4);
    std::vector<uint32_t> offsets;
    for (uint32_t id = first; id <= last; id++) {
      const std::string name = fmt::format("f{}", id);
      names.add_symbol({id * 0x100, 0x80, name, 0, false});
      names.add_line(id * 0x100 + kSite, {source, id});
      offsets.push_back(id * 0x100 + kSite);
    }
    nophook_map map = {};
    map.first_id = first;
    map.count = (uint32_t)offsets.size();
    map.path_bytes = (uint32_t)path_bytes.size();
    map.build_id_bytes = 1;
    map.build_id[0] = (uint8_t)first;
    map.bytes = (uint32_t)(sizeof map + path_bytes.size() + 4 * offsets.size());
    std::vector<uint8_t> payload(map.bytes);
    std::memcpy(payload.data(), &map, sizeof map);
    std::memcpy(payload.data() + sizeof map, path_bytes.data(), path_bytes.size());
    std::memcpy(payload.data() + sizeof map + path_bytes.size(), offsets.data(),
                4 * offsets.size());
    writer.append(ChunkType::kMap, 0, payload);
    writer.append(ChunkType::kNames, kNoProcess, pack_names(names.encode()));
  }
}

// Keeps the steps as texts: a dash for each call around it, the function, and `{`, `}`, `;` for a
// leaf, `=` for another interval, `.` for an instant; and as what a call ended, if it did not
// return.
class Kept : public EventFormat {
public:
  explicit Kept(Functions &functions, bool is_sum) : functions_(functions), is_sum_(is_sum) {}

  Result<> step(const nophook::Thread &thread, const Step &step) override {
    const char *sign = step.shape == Step::kBegin ? "{"
                       : step.shape == Step::kEnd ? "}"
                       : step.is_leaf()           ? ";"
                       : step.is_timed()          ? "="
                                                  : ".";
    text += text.empty() ? "" : " ";
    text += std::string(step.depth, '-');
    text += step.kind == Step::kLost ? "lost"
            : step.is_mark()         ? "mark"
                                     : functions_.name(thread.process(), step.id);
    text += sign;
    if (step.has_duration())
      text += std::string("_t!uoxe").substr(step.end, step.end != Step::kReturned);
    return {};
  }
  Result<> still_open(const nophook::Thread &thread, const Step &step) override {
    return this->step(thread, step);
  }
  bool is_sum() const override { return is_sum_; }
  Result<> sum(const nophook::Thread &thread, const Step &step,
               const StepFilter::Verdict &verdict) override {
    if (step.has_duration() && verdict.counts)
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : " ",
                      functions_.name(thread.process(), step.id), step.ticks - step.children_ticks);
    return {};
  }

  std::string text;

private:
  Functions &functions_;
  bool is_sum_;
};

// The steps of the recording that are selected, and for sums the times of functions of their own.
std::string kept(const std::vector<Words> &parts, Selection selection, bool is_sum = false) {
  Folder folder;
  {
    RecordingBuilder builder(folder / "r");
    write_modules(builder.writer());
    for (size_t i = 0; i < parts.size(); i++) { // each later one says that 7 events are lost
      nophook_subbuf header = subbuf_header(100, i, 7 * i);
      header.time_base += 1000 * i;
      EXPECT_TRUE(builder.add(0, header, parts[i]));
    }
    builder.finish();
  }
  auto recording = Recording::open(folder / "r");
  Functions functions(*recording);
  EXPECT_TRUE(read_times("test", &selection).ok());
  auto filter = make_filter("test", selection, *recording, functions, is_sum);
  EXPECT_TRUE(filter.ok()) << filter.error().text();
  Kept format(functions, is_sum);
  EXPECT_TRUE(write_events(format, *recording, *filter ? &**filter : nullptr, nullptr).ok());
  return format.text;
}

std::string kept(const Words &words, Selection selection, bool is_sum = false) {
  return kept(std::vector{words}, std::move(selection), is_sum);
}

Selection hide(std::vector<std::string> globs) {
  Selection selection;
  selection.hides = std::move(globs);
  return selection;
}

Selection only(const std::string &place) {
  Selection selection;
  selection.places = {place};
  return selection;
}

// f1 calls f2, which calls f3 and f5; f1 calls f3.
const Words kCalls = Words()
                         .entry(1, 10, 100)
                         .entry(2, 20, 200)
                         .entry(3, 30, 300)
                         .exit(3, 30, 400)
                         .entry(5, 30, 500)
                         .exit(5, 30, 600)
                         .exit(2, 20, 700)
                         .entry(3, 20, 800)
                         .exit(3, 20, 900)
                         .exit(1, 10, 1000);

TEST(Selection, NothingIsLeftOutWithoutOptions) {
  EXPECT_EQ(kept(kCalls, {}), "f1{ -f2{ --f3; --f5; -f2} -f3; f1}");
}

TEST(Selection, TheCallsInAHiddenCallHangUnderItsCaller) {
  EXPECT_EQ(kept(kCalls, hide({"f2"})), "f1{ -f3; -f5; -f3; f1}");
  EXPECT_EQ(kept(kCalls, hide({"f1", "f2"})), "f3; f5; f3;");
  EXPECT_EQ(kept(kCalls, hide({"f3"})), "f1{ -f2{ --f5; -f2} f1}");
  EXPECT_EQ(kept(kCalls, hide({"f[12]"})), "f3; f5; f3;");
}

TEST(Selection, LevelsAreCountedWithoutHiddenCalls) {
  Selection selection = hide({"f2"});
  selection.depth = 2;
  EXPECT_EQ(kept(kCalls, selection), "f1{ -f3; -f5; -f3; f1}");
  selection.hides.clear();
  EXPECT_EQ(kept(kCalls, selection), "f1{ -f2{ -f2} -f3; f1}");
}

TEST(Selection, AChosenFunctionMayBeHidden) {
  Selection selection = hide({"f2"});
  selection.functions = {"f2"};
  EXPECT_EQ(kept(kCalls, selection), "f3; f5;");
  selection.hides = {"f3"};
  selection.notraces = {"f5"};
  EXPECT_EQ(kept(kCalls, selection), "f2{ f2}");
}

TEST(Selection, OnlyAModuleOrAFile) {
  for (const char *place : {"program", "/no/such/program", "first.c", "src/first.c", "*/fir*.c"})
    EXPECT_EQ(kept(kCalls, only(place)), "f1{ -f2{ --f3; -f2} -f3; f1}") << place;
  for (const char *place : {"second.so.1", "lib/second.so*", "second.c"})
    EXPECT_EQ(kept(kCalls, only(place)), "f5;") << place;
  for (const char *place : {"econd.c", "no", "src"})
    EXPECT_EQ(kept(kCalls, only(place)), "") << place;
}

TEST(Selection, TheTimeOfAHiddenCallIsItsCallers) {
  EXPECT_EQ(kept(kCalls, {}, true), "f3=100 f5=100 f2=300 f3=100 f1=300");
  EXPECT_EQ(kept(kCalls, hide({"f2"}), true), "f3=100 f5=100 f3=100 f1=600");
  EXPECT_EQ(kept(kCalls, hide({"f3"}), true), "f5=100 f2=400 f1=400");
}

// f1 calls f2, which ends with a tail call of f3; f3 calls f4.
TEST(Selection, HiddenTailCalls) {
  const Words words = Words()
                          .entry(1, 10, 1)
                          .entry(2, 20, 2)
                          .tail(3, 22, 3)
                          .entry(4, 30, 4)
                          .exit(4, 30, 5)
                          .exit(2, 20, 6)
                          .exit(1, 10, 7);
  EXPECT_EQ(kept(words, {}), "f1{ -f2{ --f3{ ---f4; --f3}t -f2} f1}");
  EXPECT_EQ(kept(words, hide({"f2"})), "f1{ -f3{ --f4; -f3}t f1}");
  EXPECT_EQ(kept(words, hide({"f3"})), "f1{ -f2{ --f4; -f2} f1}");
}

// f1 calls f2 calls f3, which throws; f1 catches and calls f4.
TEST(Selection, HiddenCallsThatAnExceptionEnds) {
  const Words words =
      Words().entry(1, 10, 1).entry(2, 20, 2).entry(3, 30, 3).entry(4, 20, 4).exit(4, 20, 5).exit(
          1, 10, 6);
  EXPECT_EQ(kept(words, {}), "f1{ -f2{ --f3;! -f2}! -f4; f1}");
  EXPECT_EQ(kept(words, hide({"f2"})), "f1{ -f3;! -f4; f1}");
  EXPECT_EQ(kept(words, hide({"f3"})), "f1{ -f2{ -f2}! -f4; f1}");
}

// The exits of f2 and f3 are lost.
TEST(Selection, HiddenCallsWhoseEndsAreLost) {
  const std::vector<Words> parts = {Words().entry(1, 10, 1).entry(2, 20, 2).entry(3, 30, 3),
                                    Words().entry(4, 20, 4).exit(4, 20, 5).exit(1, 10, 6)};
  const std::string all = kept(parts, {});
  EXPECT_NE(all.find("lost."), std::string::npos) << all;
  EXPECT_EQ(std::ranges::count(all, '{'), std::ranges::count(all, '}')) << all;
  const std::string without = kept(parts, hide({"f2"}));
  EXPECT_NE(without.find("lost."), std::string::npos) << without;
  EXPECT_EQ(std::ranges::count(without, '{'), std::ranges::count(without, '}')) << without;
  EXPECT_EQ(without.find("f2"), std::string::npos) << without;
  EXPECT_NE(without.find("-f4;"), std::string::npos) << without;
}

TEST(Selection, HiddenInstants) {
  const Words words =
      Words().entry(1, 10, 1).entry_only(2, 20, 2).entry(3, 20, 3).exit(3, 20, 4).exit(1, 10, 5);
  EXPECT_EQ(kept(words, {}), "f1{ -f2. -f3; f1}");
  EXPECT_EQ(kept(words, hide({"f2"})), "f1{ -f3; f1}");
  Words marked = Words().entry(1, 10, 1).entry(2, 20, 2).control(NOPHOOK_CONTROL_RENAME, 7);
  for (uint64_t word : text_field("name"))
    marked.words.push_back(word);
  marked.exit(2, 20, 9).exit(1, 10, 10);
  EXPECT_EQ(kept(marked, {}), "f1{ -f2{ --mark. -f2} f1}");
  EXPECT_EQ(kept(marked, hide({"f2"})), "f1{ -mark. f1}");
}

// A call of the least duration has one step, at its end.
TEST(Selection, HiddenIntervals) {
  Selection selection;
  selection.min_duration = "75ns"; // 150 ticks
  EXPECT_EQ(kept(kCalls, selection), "-f2= f1=");
  selection.hides = {"f2"};
  EXPECT_EQ(kept(kCalls, selection), "f1=");
  selection.hides = {"f1"};
  EXPECT_EQ(kept(kCalls, selection), "f2=");
}

// Ticks are half nanoseconds; f1 begins 50 ns behind the base of time.
TEST(Selection, ATimeEndsTheCallsThatAreOpen) {
  Selection selection;
  selection.time = "+0,+1us";
  const Words words =
      Words().entry(1, 10, 100).entry(2, 20, 200).exit(2, 20, 9000).exit(1, 10, 9100);
  EXPECT_EQ(kept(words, selection), "f1{ -f2; f1}o");
  const Words deeper = Words()
                           .entry(1, 10, 100)
                           .entry(2, 20, 200)
                           .entry(3, 30, 300)
                           .exit(3, 30, 8000)
                           .entry(4, 30, 8100)
                           .exit(4, 30, 8200)
                           .exit(2, 20, 9000)
                           .exit(1, 10, 9100);
  EXPECT_EQ(kept(deeper, selection), "f1{ -f2{ --f3; -f2}o f1}o");
  selection.hides = {"f2"};
  EXPECT_EQ(kept(deeper, selection), "f1{ -f3; f1}o");
}

struct Window {
  std::optional<int64_t> from, to;
  bool from_is_relative = false, to_is_relative = false;
  bool operator==(const Window &) const = default;
};

std::optional<Window> window(const std::string &text) {
  Selection selection;
  selection.time = text;
  if (!read_times("test", &selection))
    return std::nullopt;
  return Window{selection.from.ns, selection.to.ns, selection.from.is_relative,
                selection.to.is_relative};
}

TEST(SelectionTime, HasOneSyntax) {
  constexpr int64_t kMs = 1'000'000;
  EXPECT_EQ(window("5"), (Window{5000 * kMs, {}}));
  EXPECT_EQ(window("5,"), (Window{5000 * kMs, {}}));
  EXPECT_EQ(window(",5.25"), (Window{{}, 5250 * kMs}));
  EXPECT_EQ(window("5.25,6"), (Window{5250 * kMs, 6000 * kMs}));
  EXPECT_EQ(window("5.25~6"), (Window{5250 * kMs, 6000 * kMs}));
  EXPECT_EQ(window("+0,+10ms"), (Window{0, 10 * kMs, true, true}));
  EXPECT_EQ(window("10ms,20ms"), (Window{10 * kMs, 20 * kMs, true, true}));
  EXPECT_EQ(window("+2,"), (Window{2000 * kMs, {}, true}));
  EXPECT_EQ(window("100,+20us"), (Window{100'000 * kMs, 20'000, false, true}));
  for (const char *text : {"x", "5x", "+", "1,2,3", "-5", "6,5", "+6,+5s", "5 s"})
    EXPECT_EQ(window(text), std::nullopt) << text;
}

// A verb that calls another one hands on what the user has typed.
TEST(SelectionOptions, AreWordsAgain) {
  Selection typed;
  VerbOptions verb = {"nophook test", "", {}};
  add_selection_options(&verb, &typed);
  const std::vector<std::string> words = {"--function=parse*",
                                          "--function=f(int, int)",
                                          "--notrace=a",
                                          "--hide=b",
                                          "--only=c.c",
                                          "--where=f.len > 4 k",
                                          "--tid=1",
                                          "--tid=2",
                                          "--pid=3",
                                          "--time=+1,",
                                          "--min-duration=1us",
                                          "--depth=3"};
  ASSERT_TRUE(parse(verb, words).ok());
  EXPECT_EQ(selection_words(typed), words);
  Selection short_ones;
  VerbOptions same = {"nophook test", "", {}};
  add_selection_options(&same, &short_ones);
  ASSERT_TRUE(
      parse(same, {"-F",     "parse*", "-F",      "f(int, int)", "-N",    "a",   "-H",    "b",
                   "--only", "c.c",    "--where", "f.len > 4 k", "--tid", "1,2", "--pid", "3",
                   "--time", "+1,",    "-t",      "1us",         "-D",    "3"})
          .ok());
  EXPECT_EQ(selection_words(short_ones), words);
  VerbOptions fewer = {"nophook test", "", {}};
  add_selection_options(&fewer, &typed, "--depth --time");
  EXPECT_EQ(fewer.options.size() + 2, same.options.size());
}

} // namespace
