// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc's nested functions, which pass their chain in %r10: gcc saves it around the call of __fentry__.
// Compiled by gcc, with -pg -mfentry, and adopted by recordmcount.

extern __thread long bodies;

// 5 bodies.
__attribute__((noipa)) long nested(long depth) {
  __attribute__((noipa)) long inner(long below) {
    __atomic_fetch_add(&bodies, 1, __ATOMIC_RELAXED);
    return below ? inner(below - 1) + 1 : depth;
  }
  __atomic_fetch_add(&bodies, 1, __ATOMIC_RELAXED);
  return inner(3);
}
