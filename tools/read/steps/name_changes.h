// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The changes of a thread's name as instants. The recorder reads names ten times a second at a
// thread's start and once a second later (process/drain/thread_names.h), so a change is dated by
// the look that found it.

#pragma once

#include "read/recording/reader.h"
#include "read/steps/step_source.h"

#include <memory>

namespace nophook {

// Null: the thread had one name.
std::unique_ptr<StepSource> name_changes(const Recording &recording, uint32_t stream);

} // namespace nophook
