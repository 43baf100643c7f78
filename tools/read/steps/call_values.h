// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values behind an event (nophook/buffer.h), as text: registers and memory that the traced
// process kept, interpreted by the function's prototype.

#pragma once

#include "read/symbols/value_bytes.h"

namespace nophook {

struct NamedValue {
  std::string name; // name, or empty
  std::string type; // type, or empty
  std::string text;
};

// The arguments in the payload words of an event that begins a call. Without a prototype: the six
// registers of integer arguments. Empty: nothing was kept, or in an unknown format.
std::vector<NamedValue> argument_values(const Prototype *prototype,
                                        std::span<const uint64_t> words);

// Finds a parameter by its name, or by its position from 1 on if no parameter has that name. Null:
// there is none.
const PlacedValue *find_argument(const Prototype &prototype, std::string_view name);

// The index of an argument by its position: "2" gives 1. Nothing: the text is no position.
std::optional<size_t> argument_position(std::string_view name);

// One argument; nothing if there is none, or it was not kept. Without a prototype, the position
// counts the registers of integer arguments.
std::optional<NamedValue> argument_value(const Prototype *prototype,
                                         std::span<const uint64_t> words, std::string_view name);

// The result, from an event that ends the call; nothing for void. `hex`: numbers are in
// hexadecimal.
std::optional<NamedValue> result_value(const Prototype *prototype, std::span<const uint64_t> words,
                                       bool hex = false);

// The growth of a counter during a call (perf_counters), by perf's name, in the order written;
// task-clock in nanoseconds. Payload words of the event that ends it.
struct CounterGrowth {
  std::string name;
  uint64_t growth;
};
std::vector<CounterGrowth> counter_growth(std::span<const uint64_t> words);
// A text such as `task-clock=1.234 us, page-faults=3`
std::string counter_list(const std::vector<CounterGrowth> &counters);

// A text such as `a=1, b="x"`
std::string argument_list(const std::vector<NamedValue> &values);

} // namespace nophook
