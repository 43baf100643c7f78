// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of pprof (https://github.com/google/pprof/blob/main/proto/profile.proto): one sample
// for each chain of callers, with the number of calls and the time in the innermost function
// itself. The numbers of the fields are those of that file.

#include "show/formats/protobuf.h"
#include "show/formats/tree_format.h"

namespace nophook {

namespace {

namespace profile {
enum : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kComment = 13,
  kDefaultSampleType = 14,
};
} // namespace profile
namespace value_type {
enum : uint32_t { kType = 1, kUnit = 2 };
}
namespace sample {
enum : uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
}
namespace label {
enum : uint32_t { kKey = 1, kStr = 2 };
}
namespace location {
enum : uint32_t { kId = 1, kLine = 4 };
}
namespace line {
enum : uint32_t { kFunctionId = 1, kLine = 2 };
}
namespace function {
enum : uint32_t { kId = 1, kName = 2, kSystemName = 3, kFilename = 4, kStartLine = 5 };
}

class PprofFormat : public TreeFormat {
public:
  using TreeFormat::TreeFormat;

  Result<> sum(const Thread &thread, const Step &step,
               const StepFilter::Verdict &verdict) override {
    if (!first_tsc_ && verdict.line)
      first_tsc_ = step.tsc;
    if (verdict.line)
      last_tsc_ = std::max(last_tsc_, step.tsc);
    return TreeFormat::sum(thread, step, verdict);
  }

  Result<> finish() override {
    note_shortened();
    string_number(""); // required as the first string
    sample_type("calls", "count");
    sample_type("time", "nanoseconds");
    const std::vector<CallTree::Node> &nodes = tree_.nodes();
    for (const CallTree::Node &node : nodes) {
      if (!node.hits && !node.self_ticks)
        continue;
      std::vector<uint64_t> locations;
      for (const CallTree::Node *at = &node;; at = &nodes[at->caller]) {
        locations.push_back(location_number(*at));
        if (at->caller == CallTree::kNone)
          break;
      }
      const uint64_t values[] = {node.hits, context_.recording.clock().duration(node.self_ticks)};
      Protobuf command;
      command.number(label::kKey, string_number("thread"))
          .number(label::kStr, string_number(tree_.roots()[node.root]));
      put(profile::kSample, Protobuf()
                                .packed(sample::kLocationId, locations)
                                .packed(sample::kValue, values)
                                .message(sample::kLabel, command));
    }
    const TscClock &clock = context_.recording.clock();
    Protobuf end;
    if (uint64_t lost = context_.recording.lost())
      end.number(profile::kComment, string_number(fmt::format("{} events lost", lost)));
    if (const WallTime &wall = context_.recording.wall_time(); wall.is_known())
      end.number(profile::kTimeNanos, wall.at(clock.at(first_tsc_)));
    end.number(profile::kDurationNanos, clock.duration(last_tsc_ - first_tsc_));
    end.number(profile::kDefaultSampleType, string_number("time"));
    context_.output->add(end.bytes());
    return {};
  }

private:
  void put(uint32_t field, const Protobuf &message) {
    context_.output->add(Protobuf().message(field, message).bytes());
    if (context_.output->size() >= 64 << 10)
      (void)context_.output->flush(); // the caller's flush() returns the error
  }

  void sample_type(const char *type, const char *unit) {
    put(profile::kSampleType, Protobuf()
                                  .number(value_type::kType, string_number(type))
                                  .number(value_type::kUnit, string_number(unit)));
  }

  uint64_t string_number(const std::string &text) {
    auto [at, is_new] = strings_.try_emplace(text, strings_.size());
    if (is_new)
      context_.output->add(Protobuf().text(profile::kStringTable, text).bytes());
    return at->second;
  }

  // The number of a location and of its function: one of each for each name.
  uint64_t location_number(const CallTree::Node &node) {
    const std::string &name = tree_.name(node);
    auto [at, is_new] = locations_.try_emplace(name, locations_.size() + 1);
    if (!is_new)
      return at->second;
    const SourceLine &source = context_.functions.source_of_key(node.key);
    uint64_t text = string_number(name), file = string_number(source.file);
    put(profile::kFunction, Protobuf()
                                .number(function::kId, at->second)
                                .number(function::kName, text)
                                .number(function::kSystemName, text)
                                .number(function::kFilename, file)
                                .number(function::kStartLine, source.line));
    put(profile::kLocation,
        Protobuf()
            .number(location::kId, at->second)
            .message(
                location::kLine,
                Protobuf().number(line::kFunctionId, at->second).number(line::kLine, source.line)));
    return at->second;
  }

  std::map<std::string, uint64_t> strings_, locations_;
  uint64_t first_tsc_ = 0, last_tsc_ = 0;
};

} // namespace

std::unique_ptr<EventFormat> make_pprof(const FormatContext &context) {
  return std::make_unique<PprofFormat>(context);
}

} // namespace nophook
