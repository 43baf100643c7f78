// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdint.h>

namespace nophook {

// Whether a key of NOPHOOK= is about an instance: trace_instance, or instances/NAME/FILE.
bool is_about_instance(const char *key, uint64_t bytes);

// Carries out what `text`, of the grammar of NOPHOOK=, says about instances; what fails is logged
// and left out. When the buffer is configured; without the runtime's lock.
void start_instances(const char *text);

} // namespace nophook
