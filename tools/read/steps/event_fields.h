// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of an event by the schema of its row in nophook/event_kinds.h.

#pragma once

#include "read/steps/call_values.h"

#include <span>

namespace nophook {

// As it is shown; of a number without a row: `unknown`.
const char *event_kind_name(uint32_t kind);

// The fields that its payload words hold, up to the first that is not whole.
std::vector<NamedValue> event_fields(uint32_t kind, std::span<const uint64_t> words);

// The payload words of one field of type t, as a writer makes them.
std::vector<uint64_t> text_field(std::string_view text);

} // namespace nophook
