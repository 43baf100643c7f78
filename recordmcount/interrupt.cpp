// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interrupt.h"

#include <atomic>
#include <iterator>
#include <signal.h>

namespace nophook::recordmcount {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> came; // relaxed: it is read again and again
struct sigaction before[std::size(kSignals)];

} // namespace

Interrupts::Interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { came.store(signal, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < std::size(kSignals); i++) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) // nohup
      ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (size_t i = 0; i < std::size(kSignals); i++)
    ::sigaction(kSignals[i], &before[i], nullptr);
  if (const int signal = came.load(std::memory_order_relaxed))
    ::raise(signal);
}

bool Interrupts::any() const {
  return came.load(std::memory_order_relaxed) != 0;
}

} // namespace nophook::recordmcount
