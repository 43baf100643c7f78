// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases that only C++ has, for compare.test.
struct First {
  int value;
};
struct Second {
  int value;
};
__attribute__((noinline)) void may_throw(int n) {
  if (n > 3)
    throw First{n};
  if (n < 0)
    throw Second{n};
}

#ifdef CHANGED_CATCH
using Caught = Second;
#else
using Caught = First;
#endif
__attribute__((noinline)) bool guarded(int n) {
  try {
    may_throw(n);
  } catch (const Caught &) {
    return true;
  }
  return false;
}

template <class T> struct Counter {
  __attribute__((noinline)) static T next(T by) {
    static T number;
#ifdef CHANGED_TEMPLATE
    return number -= by;
#else
    return number += by;
#endif
  }
};
int next_number(int by) { return Counter<int>::next(by); }
double next_number(double by) { return Counter<double>::next(by) + Counter<int>::next(1); }

struct Shape {
  virtual ~Shape();
  virtual int corners() const;
#ifdef CHANGED_VTABLE
  virtual int edges() const { return corners(); }
#endif
};
Shape::~Shape() {}
int Shape::corners() const { return 0; }
