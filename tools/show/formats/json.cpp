// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format `json`: one JSON object a line for each event (show/print/events_json.h).

#include "show/formats/event_format.h"
#include "show/print/events_json.h"

namespace nophook {

namespace {

class JsonFormat : public EventFormat {
public:
  explicit JsonFormat(const FormatContext &context) : context_(context) {}

  Result<> step(const Thread &thread, const Step &step) override {
    print_event_json(*context_.output, context_.functions, context_.recording, thread, step,
                     context_.options.srcline, context_.options.wall);
    return {};
  }

private:
  FormatContext context_;
};

} // namespace

std::unique_ptr<EventFormat> make_json(const FormatContext &context) {
  return std::make_unique<JsonFormat>(context);
}

} // namespace nophook
