// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the addresses out of events and marks; a table of the latest ones avoids most insertions.

#include "process/drain/seen_callers.h"

#include "foundation/overloaded.h"
#include "read/steps/marks.h"

namespace nophook {

// The payload words of a mark.
void SeenCallers::add_mark(std::span<const uint64_t> words) {
  std::visit(Overloaded{[&](const StackMark &stack) {
                          for (uint64_t address : stack.addresses)
                            add_address(address - 1); // the call may end its function
                        },
                        [&](const TextMark &text) {
                          if (text.ip)
                            add_address(text.ip);
                        },
                        [&](const RepeatsMark &repeats) { add_address(repeats.parent - 1); },
                        [&](const ProbeEvent &event) {
                          add_address(event.ip);
                          if (event.is_return)
                            add_address(event.ret_ip - 1);
                          for (const ProbeEvent::Argument &argument : event.arguments)
                            if (argument.address)
                              add_address(*argument.address);
                        },
                        [](const auto &) {}},
             read_mark(words));
}

void SeenCallers::add(std::span<const uint64_t> words) {
  constexpr uint64_t kMark =
      (uint64_t{NOPHOOK_EVENT_CONTROL} << NOPHOOK_ID_BITS) + NOPHOOK_CONTROL_MARK; // kind and id
  for (size_t i = 0; i + 1 < words.size(); i++) {
    const uint64_t kind = words[i] >> NOPHOOK_KIND_SHIFT;
    if (kind < NOPHOOK_EVENT_FUNCTION || kind == NOPHOOK_EVENT_PAYLOAD)
      continue;
    if (kind == NOPHOOK_EVENT_FUNCTION) {
      add_address(~words[i + 1] - 1);
    } else if (words[i] >> NOPHOOK_ID_SHIFT == kMark) {
      size_t end = i + 1;
      while (end < words.size() && words[end] >> NOPHOOK_KIND_SHIFT == NOPHOOK_EVENT_PAYLOAD)
        end++;
      add_mark(words.subspan(i + 1, end - i - 1));
    }
  }
}

} // namespace nophook
