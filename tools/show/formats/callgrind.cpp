// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile format of callgrind, for callgrind_annotate and KCachegrind: each function with its
// own time, and each pair of caller and callee with calls and the time in them. The function
// tracer knows no times, so each of its calls costs 1.
//
// https://valgrind.org/docs/manual/cl-format.html

#include "show/formats/tree_format.h"

namespace nophook {

namespace {

class CallgrindFormat : public TreeFormat {
public:
  using TreeFormat::TreeFormat;

  Result<> finish() override {
    add_up();
    note_shortened();
    Output &out = *context_.output;
    out.line("# callgrind format");
    out.line("version: 1");
    out.line("creator: nophook");
    if (uint64_t lost = context_.recording.lost())
      out.line("desc: Events lost: {}", lost);
    out.line("positions: line");
    out.line("events: {}", counts_calls_ ? "Calls" : "ns");
    uint64_t sum = 0;
    for (auto &[name, function] : functions_) {
      out.line("");
      out.line("fl={}", function.file);
      out.line("fn={}", name);
      out.line("{} {}", function.line, function.self);
      sum += function.self;
      for (auto &[callee, calls] : function.callees) {
        const Function &called = functions_.at(callee);
        out.line("cfi={}", called.file);
        out.line("cfn={}", callee);
        out.line("calls={} {}", calls.count, called.line);
        out.line("{} {}", function.line, calls.total);
      }
    }
    out.line("");
    out.line("totals: {}", sum);
    return {};
  }

private:
  struct Calls {
    uint64_t count = 0, total = 0;
  };
  struct Function {
    std::string file = "???";
    uint64_t line = 0;
    uint64_t self = 0;
    std::map<std::string, Calls> callees;
  };

  void add_up() {
    const TscClock &clock = context_.recording.clock();
    for (const CallTree::Node &node : tree_.nodes()) {
      Function &function = functions_[tree_.name(node)];
      if (const SourceLine &source = context_.functions.source_of_key(node.key);
          !source.file.empty()) {
        function.file = source.file;
        function.line = source.line;
      }
      function.self += counts_calls_ ? node.hits : clock.duration(node.self_ticks);
      if (node.caller == CallTree::kNone)
        continue;
      Calls &calls = functions_[tree_.name(tree_.nodes()[node.caller])].callees[tree_.name(node)];
      calls.count += node.hits;
      calls.total += counts_calls_ ? node.hits : clock.duration(node.total_ticks);
    }
  }

  std::map<std::string, Function> functions_;
};

} // namespace

std::unique_ptr<EventFormat> make_callgrind(const FormatContext &context) {
  return std::make_unique<CallgrindFormat>(context);
}

} // namespace nophook
