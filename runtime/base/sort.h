// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting without <algorithm>, which does not compile for general registers only.
// Tables come sorted from nearly every linker, so a look comes first; else heapsort: no
// recursion, no memory, and no input that makes it slow.

#pragma once

#include <stdint.h>

namespace nophook {

template <class T> void swap_values(T &a, T &b) {
  T t = a;
  a = b;
  b = t;
}

// `before(a, b)`: whether a comes before b.
template <class T, class Before> void sort(T *data, uint64_t count, Before before) {
  bool sorted = true;
  for (uint64_t i = 1; i < count && sorted; i++)
    sorted = !before(data[i], data[i - 1]);
  if (sorted)
    return;
  auto sink = [&](uint64_t root, uint64_t end) {
    for (uint64_t child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && before(data[child], data[child + 1]))
        child++;
      if (!before(data[root], data[child]))
        return;
      swap_values(data[root], data[child]);
    }
  };
  for (uint64_t i = count / 2; i > 0; i--)
    sink(i - 1, count);
  for (uint64_t end = count; end > 1; end--) {
    swap_values(data[0], data[end - 1]);
    sink(0, end - 1);
  }
}

} // namespace nophook
