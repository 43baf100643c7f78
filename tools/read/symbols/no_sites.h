// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reason why a file has no traceable functions at all, and advice.

#pragma once

#include "read/symbols/site_table.h"

namespace nophook {

// The reason why the table of a file is empty.
std::string no_sites_reason(const ElfImage &image, const SiteTable &table);

} // namespace nophook
