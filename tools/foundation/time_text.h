// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIME, as options of all verbs have it: a number and a unit, such as 300ns, 10us, 2.5ms, 1s, 5m,
// 2h. A number without a unit is in seconds, as for sleep(1), and as a trace prints its times.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nophook {

// Parses a time. Returns an empty text, or the error.
std::string parse_time(std::string_view text, uint64_t *ns);

// Digits with at most one point, times `unit_ns`, added to `ns`: exact, as a double would not be.
bool parse_decimal(std::string_view text, uint64_t unit_ns, uint64_t *ns);

} // namespace nophook
