// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps from other sources, among those of a thread's own events; and kinds that only their row
// describes.

#include "read/steps/event_fields.h"
#include "read/steps/marks.h"
#include "synthetic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nophook/event_kinds.h>

using namespace nophook;
using namespace nophook::test;

namespace {

class Moments : public StepSource {
public:
  Moments(uint32_t id, std::vector<uint64_t> times) : id_(id), times_(std::move(times)) {}
  bool next(Step *step) override {
    if (at_ == times_.size())
      return false;
    *step = Step();
    step->shape = Step::kInstant;
    step->kind = Step::kOther;
    step->id = id_;
    step->tsc = kTimeBase + times_[at_++];
    return true;
  }

private:
  uint32_t id_;
  std::vector<uint64_t> times_;
  size_t at_ = 0;
};

std::string merged(const Words &words, std::vector<std::vector<uint64_t>> sources) {
  bool given = false;
  Timeline timeline([&](Timeline::Words *next) {
    *next = {subbuf_header(), words.words, nullptr};
    return !std::exchange(given, true);
  });
  for (size_t i = 0; i < sources.size(); i++)
    timeline.add_source(std::make_unique<Moments>(100 + i, sources[i]));
  std::string text;
  for (Step step; timeline.next(&step);)
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", std::string(step.depth, '-'), step.id,
                        step.is_mark() ? '!' : sign_of(step));
  return text;
}

TEST(StepSources, AreMergedByTimeAtTheDepthThatRuns) {
  const Words calls = Words().entry(1, 10, 10).entry(2, 20, 20).exit(2, 20, 30).exit(1, 10, 40);
  EXPECT_EQ(merged(calls, {{5, 15, 35, 50}}), "100! 1{ -100! -2; -100! 1} 100!");
  EXPECT_EQ(merged(calls, {{15}, {12, 15, 60}}), "1{ -101! -100! -101! -2; 1} 101!");
  EXPECT_EQ(merged(Words(), {{7}}), "100!");
}

TEST(EventFields, AKindIsReadByItsRow) {
  Words words;
  words.control(NOPHOOK_CONTROL_RENAME, 7);
  for (uint64_t word : text_field("a name of 22 bytes \x01 …"))
    words.words.push_back(word);
  words.entry(1, 10, 20);
  const std::vector<Step> steps = steps_of(words);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].shape, Step::kInstant);
  EXPECT_EQ(steps[0].tsc, kTimeBase + 7);
  EXPECT_EQ(mark_text(read_mark(steps[0])), "task_rename: newcomm=a name of 22 bytes ? …");
}

TEST(EventFields, ACutFieldIsNotShown) {
  Step step;
  step.shape = Step::kInstant;
  step.kind = Step::kOther;
  step.id = NOPHOOK_CONTROL_RENAME;
  const std::vector<uint64_t> words = text_field(std::string(100, 'x'));
  step.arguments = std::span(words).first(3);
  EXPECT_EQ(mark_text(read_mark(step)), "task_rename:");
}

} // namespace
