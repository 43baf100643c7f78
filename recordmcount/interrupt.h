// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C between two files, not within one.
//
// A program that is ended while it writes a file leaves half a file behind. A handler that removes
// such files has to know all of them. It is simpler to finish them, which takes milliseconds, and
// to begin no other files.

#pragma once

namespace nophook::recordmcount {

// Only one object at a time. It holds back SIGINT, SIGTERM and SIGHUP, unless they are ignored
// already; at its end, a signal that came ends the process.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;

  bool any() const; // for any thread
};

} // namespace nophook::recordmcount
