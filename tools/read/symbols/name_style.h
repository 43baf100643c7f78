// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The style of functions' names: the option --names of every verb that prints names.

#pragma once

#include "foundation/options.h"

#include <string>
#include <string_view>

namespace nophook {

enum class NameStyle : uint8_t {
  kShort,  // readable_name(): std::map<std::string, int>::operator[]
  kFull,   // short_name(): every template argument, no parameters
  kLinked, // the symbol
};

std::string styled_name(std::string_view symbol, NameStyle style);

// The user's choice, if any.
struct NamesOption {
  std::string said;

  VerbOption row() {
    return {"--names",
            &said,
            "how names are shown: short (the default on a terminal), full, or linked",
            {.type = "STYLE", .allowed = "short full linked"}};
  }

  // Without the option, people get short names, and files, pipes and JSON full ones.
  NameStyle style(bool for_people) const;
};

} // namespace nophook
