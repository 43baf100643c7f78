// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event that was made by text (dynamic_events), as the buffer has it: its name, and the values
// of its arguments, with a description of how to show them.

#pragma once

#include "read/steps/value_reader.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nophook {

struct ProbeEvent {
  std::string group, name;
  bool is_return = false;
  uint64_t ip = 0;             // address of the function
  uint64_t ret_ip = 0;         // for a return: the address that it returns to
  std::vector<uint8_t> record; // record, nophook/kernel_events.h

  struct Argument {
    std::string name;
    std::string text;                // text of the value, except for
    std::optional<uint64_t> address; // an address in it that is to be shown as a symbol
    bool is_quoted = false;          // whether that is in quotes, as the kernel's symstr
  };
  std::vector<Argument> arguments;
};

// Reads the bytes behind the format byte. Nothing: they are damaged, or of another version.
std::optional<ProbeEvent> read_probe_event(ValueReader &reader);

// The kernel's line: `EVENT: (func+0x0/0x40) a=1 b="x"`, or `EVENT: (caller+0x12/0x80 <- func) …`.
// `symbol` names the place of an address, which may be one behind a call; `function` gives the name
// alone.
using SymbolText = std::function<std::string(uint64_t address, bool is_behind_call)>;
std::string probe_event_text(const ProbeEvent &event, const SymbolText &symbol,
                             const SymbolText &function);

} // namespace nophook
