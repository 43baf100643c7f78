// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format `text`: the kernel's `trace` text (show/print/trace_text.h).

#include "show/formats/event_format.h"
#include "show/print/trace_text.h"

namespace nophook {

namespace {

class TextFormat : public EventFormat {
public:
  explicit TextFormat(const FormatContext &context)
      : text_(*context.output, context.functions, context.recording, context.options) {}

  Result<> begin() override {
    text_.header();
    return {};
  }
  Result<> step(const Thread &thread, const Step &step) override {
    text_.step(thread, step);
    return {};
  }
  Result<> finish() override {
    text_.finish();
    return {};
  }

private:
  TraceText text_;
};

} // namespace

std::unique_ptr<EventFormat> make_text(const FormatContext &context) {
  return std::make_unique<TextFormat>(context);
}

} // namespace nophook
