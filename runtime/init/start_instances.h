// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances that the environment defines.

#pragma once

#include <stdint.h>

namespace nophook {

// Whether a key of NOPHOOK= is about an instance: trace_instance, or instances/NAME/FILE.
bool is_about_instance(const char *key, uint64_t bytes);

// Carries out the words about instances in `text`, which has the grammar of NOPHOOK=; a word that
// fails is logged and left out. To be called when the buffer is configured; without the runtime's
// lock.
void start_instances(const char *text);

} // namespace nophook
