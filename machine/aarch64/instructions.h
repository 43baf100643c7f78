// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "analysis/code_reader.h"

namespace nophook::aarch64 {

using namespace analysis;

CodeReader *code_reader();

} // namespace nophook::aarch64
