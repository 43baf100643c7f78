// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of everything that C++20 makes functions from. Its other half is
// everything_other.cpp. Prints one line; exits with 0.
#include "everything.h"
#include <compare>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {
// Functions that run before main: a constructor, an initialiser, a destructor at exit.
int before_main = 0;
__attribute__((constructor)) void first() { before_main += 1; }
std::string initialised = std::string("a") + std::to_string(before_main);
struct AtExit {
  AtExit() { before_main += 2; }
  ~AtExit() { before_main = 0; }
} at_exit;

template <class T>
concept Adds = requires(T x) { x + x; };
NOINLINE auto constrained(Adds auto x) { return x + x; }

struct Ordered {
  int key;
  std::strong_ordering operator<=>(const Ordered &) const = default;
};
struct Member {
  int x;
  NOINLINE int operator()(int y) const { return x + y; }
  NOINLINE static int count(std::initializer_list<int> all) { return int(all.size()); }
};
template <class... T> NOINLINE int sum(T... all) { return (0 + ... + all); }

NOINLINE int thrower(int x) {
  if (x > 2)
    throw std::runtime_error("x");
  return x;
}
NOINLINE int catcher(int x) {
  try {
    return thrower(x);
  } catch (const std::exception &) {
    return -1;
  }
}
NOINLINE int switcher(int x) {
  switch (x) {
  case 0: return 7;
  case 1: return sum(1, 2);
  case 2: return catcher(1);
  case 3: return catcher(5);
  case 4: return shared_inline(x);
  default: return shared_template(x);
  }
}
} // namespace

int main() {
  auto lambda = [captured = 1](int y) mutable { return captured += y; };
  auto generic = [](auto x) { return x * 2; };
  int (*pointer)(int) = [](int x) { return x - 1; };
  int total = lambda(1) + generic(2) + int(generic(3.0)) + pointer(before_main);

  Both both;
  Right *right = &both;
  Virtual *far = &both;
  total += right->right() + (right->same() == both.same()) + far->deep();

  Task task = count_to(3);
  while (!task.handle.done())
    total += task.next();
  task.handle.destroy();

  std::vector<std::string> names;
  for (int i = 0; i < 6; i++)
    names.push_back(std::to_string(switcher(i)));
  for (auto &name : names)
    total += int(name.size());
  total += constrained(from_other_file(1)) + Member{1}(2) + Member::count({1, 2, 3});
  total += (Ordered{1} < Ordered{2}) + int(per_thread.size()) + before_main + int(initialised.size());
  std::printf("%d\n", total);
  return 0;
}
