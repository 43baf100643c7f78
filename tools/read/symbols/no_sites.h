// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a file has no traceable functions at all, and what to do about it.

#pragma once

#include "read/symbols/site_table.h"

namespace nophook {

// Why the table of a file is empty.
std::string no_sites_reason(const ElfImage &image, const SiteTable &table);

} // namespace nophook
