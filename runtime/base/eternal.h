// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that is never destroyed. A destructor that runs at exit() would take away what threads
// of the program still use, and would be registered by a call of libc. T's state of all zeros is
// its empty one, so nothing needs to construct it either.

#pragma once

#include <stddef.h>

namespace nophook {

template <class T, size_t Count = 1> class Eternal {
public:
  T &operator*() { return *at(0); }
  T *operator->() { return at(0); }
  T &operator[](size_t i) { return *at(i); }
  T *all() { return at(0); }

private:
  T *at(size_t i) { return reinterpret_cast<T *>(storage_) + i; }

  alignas(T) char storage_[Count * sizeof(T)];
};

} // namespace nophook
