// C++ functions are found by demangled name, with and without parameters, templates with and
// without the type that they return, and as linked; the header works in C++.
// RUN: %traced_cxx -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

namespace space {
NOINLINE int twice(int n) { KEEP(n); return 2 * n; }
NOINLINE double twice(double n) { KEEP(&n); return 2 * n; }
struct Type {
  NOINLINE void method() const { KEEP(this); }
  NOINLINE bool operator()(int n) { KEEP(n); return true; }
};
template <class T> NOINLINE void generic(T value) { KEEP(&value); }
struct Box { int n; };
template <class T> NOINLINE Box *operator<(Box &box, T value) { KEEP(&value); return &box; }
template <class T> NOINLINE unsigned long boxed(Box *(*)(T)) { KEEP(0); return sizeof(T); }
} // namespace space
static Counted counted = COUNTED(0);
UNTRACED static void expect(const char *pattern, const char *wanted) {
  char seen[7] = "......";
  EXPECT_EQ(set_filter(&counted.ops, pattern, 1), 0);
  space::Type object;
  for (int i = 0; i < 6; i++) {
    switch (i) {
    case 0: space::twice(1); break;
    case 1: space::twice(1.0); break;
    case 2: object.method(); break;
    case 3: object(1); break;
    case 4: space::generic<int>(1); break;
    case 5: space::generic<char>(1); break;
    }
    if (calls_of(&counted))
      seen[i] = (char)('0' + i);
  }
  if (strcmp(seen, wanted) != 0)
    failures++, printf("%s: %s instead of %s\n", pattern, seen, wanted);
}

UNTRACED static void expect_one(const char *pattern, bool is_operator, bool is_boxed) {
  EXPECT_EQ(set_filter(&counted.ops, pattern, 1), 0);
  space::Box box = {1};
  EXPECT(box < 1);
  EXPECT_EQ(calls_of(&counted), is_operator);
  EXPECT_EQ(space::boxed<char>(nullptr), 1);
  EXPECT_EQ(calls_of(&counted), is_boxed);
}

UNTRACED int main() {
  counted.ops.private_data = &counted;
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  expect("space::twice", "01....");
  expect("space::twice(int)", "0.....");
  expect("_ZN5space5twiceEd", ".1....");
  expect("space::Type::*", "..23..");
  expect("space::Type::method", "..2...");
  expect("space::Type::method()?const", "..2...");
  expect("space::Type::operator()", "...3..");
  expect("*generic<char>*", ".....5");
  expect("space::*", "012345");
  expect("space::generic<*", "....45");
  expect("space::generic<int>(int)", "....4.");
  expect("void?space::generic<int>", "....4.");
  expect("*space::*", "012345");
  expect_one("space::operator<*", true, false);
  expect_one("space::boxed<*", false, true);
  expect_one("unsigned?long?space::boxed<char>", false, true);
  EXPECT_EQ(set_filter(&counted.ops, "twice", 1), -EINVAL);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  return failures;
}
