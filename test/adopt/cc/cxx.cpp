// nophook c++ links the C++ library, and its functions have their C++ names.
// RUN: %cxx -O1 %s -o %t && %t
// RUN: %nophook list %t 2>&1 | FileCheck %s
// CHECK: call-through ns::work(std::
#include <string>
namespace ns {
[[gnu::noinline]] size_t work(const std::string &text) { return text.size(); }
} // namespace ns
int main() { return (int)ns::work(""); }
