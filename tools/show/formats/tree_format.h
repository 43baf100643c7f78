// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the formats without a time axis: the steps go into one tree of calls, and
// finish() writes it.

#pragma once

#include "read/analyse/call_tree.h"
#include "show/formats/event_format.h"

namespace nophook {

class TreeFormat : public EventFormat {
public:
  explicit TreeFormat(const FormatContext &context) : context_(context), tree_(context.functions) {}

  Result<> step(const Thread &, const Step &) final { return {}; }
  bool is_sum() const final { return true; }
  Result<> sum(const Thread &thread, const Step &step,
               const StepFilter::Verdict &verdict) override {
    counts_calls_ |= step.kind == Step::kFunction;
    tree_.step(thread, step, verdict);
    return {};
  }

protected:
  // A note for the user about shortened chains; for finish().
  void note_shortened() const {
    if (const std::string text = tree_.shortened_text(); !text.empty())
      fmt::print(stderr, "nophook: {}\n", text);
  }

  FormatContext context_;
  CallTree tree_;
  bool counts_calls_ = false; // the function tracer's recording, without times
};

} // namespace nophook
