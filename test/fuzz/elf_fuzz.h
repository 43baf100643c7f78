// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzing recordmcount: what must hold for any bytes, and how to make bytes that are worth it.
//
// Nearly every random change of an object is caught by the first check of a header. So changes
// are made to fields, found through the section table as long as there is one, and to values
// that other fields have or nearly have. The same goes for archives, by the headers of members.

#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace nophook {

// Gives `bytes` to recordmcount's readers and writers with every combination of options. Ends the
// process if something does not hold. True if something was written.
bool check_image(const uint8_t *bytes, size_t size);

// The same for an archive of them.
bool check_archive(llvm::StringRef image);

// Ends the process unless it holds.
void demand(bool holds, const llvm::Twine &what);

// Changes `bytes`, an object or an archive, a little, in place. Returns the new size.
size_t mutate_image(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed);

size_t mutate_object(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed);
size_t mutate_archive(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed);

// Makes an archive with the object in `bytes` as a member, once or twice, if there is room.
size_t wrap_object(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed);

} // namespace nophook
