// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks in one line each, `command;main;parse 1234`: what flame graph tools read (Brendan Gregg's
// flamegraph.pl, inferno, speedscope). The number is the time in the innermost function itself, in
// nanoseconds; of the function tracer, which knows no times, the number of calls.

#include "formats/tree_format.h"

namespace nophook {

namespace {

class FoldedFormat : public TreeFormat {
public:
  using TreeFormat::TreeFormat;

  Result<> finish() override {
    std::vector<std::string> paths;
    for (const CallTree::Node &node : tree_.nodes()) {
      const std::string &before =
          node.caller == CallTree::kNone ? tree_.roots()[node.root] : paths[node.caller];
      paths.push_back(before + ";" + without_separators(tree_.name(node)));
      uint64_t value =
          counts_calls_ ? node.hits : context_.recording.clock().duration(node.self_ticks);
      if (value)
        context_.output->line("{} {}", paths.back(), value);
    }
    return {};
  }

private:
  static std::string without_separators(std::string name) {
    std::ranges::replace(name, ';', ':');
    return name;
  }
};

} // namespace

std::unique_ptr<EventFormat> make_folded(const FormatContext &context) {
  return std::make_unique<FoldedFormat>(context);
}

} // namespace nophook
