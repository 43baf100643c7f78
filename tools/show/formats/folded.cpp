// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks in one line each, `command;main;parse 1234`: the input of flame graph tools (Brendan
// Gregg's flamegraph.pl, inferno, speedscope). The number is the time in the innermost function
// itself, in nanoseconds; for the function tracer, which knows no times, it is the number of calls.

#include "show/formats/tree_format.h"

#include <algorithm>
#include <ranges>

namespace nophook {

namespace {

class FoldedFormat : public TreeFormat {
public:
  using TreeFormat::TreeFormat;

  Result<> finish() override {
    const std::vector<CallTree::Node> &nodes = tree_.nodes();
    std::vector<const CallTree::Node *> path; // a path per node would take gigabytes
    for (const CallTree::Node &node : nodes) {
      uint64_t value =
          counts_calls_ ? node.hits : context_.recording.clock().duration(node.self_ticks);
      if (!value)
        continue;
      path.assign(1, &node);
      while (path.back()->caller != CallTree::kNone)
        path.push_back(&nodes[path.back()->caller]);
      context_.output->add(tree_.roots()[node.root]);
      for (const CallTree::Node *call : path | std::views::reverse) {
        context_.output->add(';');
        context_.output->add(without_separators(tree_.name(*call)));
      }
      context_.output->line(" {}", value);
    }
    note_shortened();
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
