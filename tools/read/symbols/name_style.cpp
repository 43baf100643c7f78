// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a name of a style, and chooses the default one.

#include "read/symbols/name_style.h"

#include "foundation/file.h"
#include "read/symbols/readable_name.h"
#include "read/symbols/symbol_table.h"

namespace nophook {

std::string styled_name(std::string_view symbol, NameStyle style) {
  switch (style) {
  case NameStyle::kShort:
    return readable_name(symbol);
  case NameStyle::kFull:
    return short_name(symbol);
  case NameStyle::kLinked:
    return printable(symbol);
  }
  return "";
}

NameStyle NamesOption::style(bool for_people) const {
  if (said.empty())
    return for_people ? NameStyle::kShort : NameStyle::kFull;
  return said == "short"  ? NameStyle::kShort
         : said == "full" ? NameStyle::kFull
                          : NameStyle::kLinked;
}

} // namespace nophook
