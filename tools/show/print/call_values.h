// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values behind an event (nophook/buffer.h), as text: registers and memory that the traced
// process kept, interpreted by the function's prototype.

#pragma once

#include "read/symbols/value_bytes.h"

namespace nophook {

struct NamedValue {
  std::string name; // or empty
  std::string type; // or empty
  std::string text;
};

// Payload words of an event that begins a call. Without a prototype: the six registers that
// integers are passed in. Empty: nothing was kept, or in a format that is not known.
std::vector<NamedValue> argument_values(const Prototype *prototype,
                                        std::span<const uint64_t> words);

// A parameter by its name, or by its position from 1 on where none is called so. Null: there is
// none.
const PlacedValue *find_argument(const Prototype &prototype, std::string_view name);

// "2" is the second one, 1 in an array. Nothing: it is no position.
std::optional<size_t> argument_position(std::string_view name);

// That argument only; nothing if there is none, or it was not kept. Without a prototype, the
// position counts the registers that integers are passed in.
std::optional<NamedValue> argument_value(const Prototype *prototype,
                                         std::span<const uint64_t> words, std::string_view name);

// The result, from an event that ends the call; nothing for void. `hex`: numbers are in
// hexadecimal.
std::optional<NamedValue> result_value(const Prototype *prototype, std::span<const uint64_t> words,
                                       bool hex = false);

// By how much counters grew during a call (perf_counters): by perf's names, in the order written;
// task-clock in nanoseconds. Payload words of the event that ends it.
struct CounterGrowth {
  std::string name;
  uint64_t growth;
};
std::vector<CounterGrowth> counter_growth(std::span<const uint64_t> words);
// `task-clock=1.234 us, page-faults=3`
std::string counter_list(const std::vector<CounterGrowth> &counters);

// `a=1, b="x"`
std::string argument_list(const std::vector<NamedValue> &values);

} // namespace nophook
