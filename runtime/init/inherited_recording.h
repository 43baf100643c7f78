// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that a process executes while `nophook attach` records it.
//
// A fork child continues as its parent was and does not need this. An executed program starts from
// its environment, which is that of a process without a recorder. So the recorder writes its
// settings to a file, which a program that serves looks for when it starts: nophook/buffer.h.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace nophook {

struct Invitation {
  long file = -1;
  char *settings = nullptr; // settings as in NOPHOOK
  uint64_t session = 0;     // number of the recorder for the buffer's header; 0: there is none
};

// Finds a recorder's settings in `folder`, for this process or its next ancestor that has them.
// end_invitation() frees them.
Invitation find_invitation(const char *folder);

// Whether the recorder still looks for buffers.
bool is_open(const Invitation &invitation);

void end_invitation(Invitation *invitation);

} // namespace nophook
