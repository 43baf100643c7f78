// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C between two files, not within one.
//
// Whoever is ended while a file is written leaves half of one beside it. A handler that removes it
// has to know all that are being written; it is simpler to finish these, which takes milliseconds,
// and to begin no more.

#pragma once

namespace nophook {

// One at a time. Holds back SIGINT, SIGTERM and SIGHUP, unless they are ignored already; at its end
// the one that came ends the process.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;

  bool any() const; // any thread
};

} // namespace nophook
