// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzing recordmcount: what must hold for any bytes, and how to make bytes that are worth it.
//
// Nearly every random change of an object is caught by the first check of a header. So changes
// are made to fields, found through the section table as long as there is one, and to values
// that other fields have or nearly have.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace nophook {

// Gives `bytes` to recordmcount's readers and writers with every combination of options. Ends the
// process if something does not hold. True if something was written.
bool check_image(const uint8_t *bytes, size_t size);

// Changes `bytes` a little, in place. Returns the new size.
size_t mutate_image(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed);

} // namespace nophook
