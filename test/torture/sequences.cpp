// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user of restartable sequences, as tcmalloc is: counts for each CPU, without a lock. A thread
// that is made to run something else in the middle of a sequence, and then goes on there, loses an
// increment of another thread.

#include "torture.h"

#include "cpu.h"

#include <fmt/format.h>

#include <sys/rseq.h>

namespace {

struct alignas(64) Count {
  long value;
};
constexpr unsigned kCpus = 4096;
Count counts[kCpus];
std::atomic<long> total;

} // namespace

void torture_sequences(std::mt19937_64 &) {
  constexpr long kTimes = 20000;
  if (!kHasSequences || __rseq_size == 0)
    return;
  char *area = static_cast<char *>(__builtin_thread_pointer()) + __rseq_offset;
  for (long i = 0; i < kTimes; i++)
    add_on_cpu(area, counts);
  expected(3, leaf(2), "leaf beside sequences");
  total += kTimes;
}

void expect_sequences() {
  long sum = 0;
  for (const Count &count : counts)
    sum += count.value;
  expected(total, sum, "the sum of all CPUs' counts");
}
