// C++: methods, references, strings and enumerations as the source names them.
// RUN: %describe_cxx -O2 %s -o %t && %nophook list --args %t 2>/dev/null | FileCheck %s
// RUN: %nophook list --args --json %t | FileCheck %s --check-prefix=JSON
#include <string>
#include <string_view>
#define KEEP __attribute__((noinline, used))
namespace ns {
enum class Color { kRed };
struct Shape {
  int size;
  KEEP int grow(int by, Color color) { return size + by + (int)color; }
};
KEEP void print(const std::string &text, std::string_view part, Shape &shape) { shape.size = (int)(text.size() + part.size()); }
KEEP std::string give(std::string &&from) { return from; }
}
int main() { ns::Shape s{1}; std::string t; ns::print(t, "", s); return s.grow(1, ns::Color::kRed) + (int)ns::give("").size(); }
// CHECK-DAG: int ns::Shape::grow(ns::Shape *this, int by, ns::Color color)
// CHECK-DAG: void ns::print(const std::string &text, std::string_view part, ns::Shape &shape)
// CHECK-DAG: std::string ns::give(std::string &&from)
// JSON: "function":"ns::print{{.*}}"name":"text","type":"const std::string &","kind":"reference","bytes":8,"place":"rdi"},{"name":"part","type":"std::string_view","kind":"string","bytes":16,"place":"rsi:rdx{{[?]?}}"}
// JSON: "function":"ns::give{{.*}}"result":{"type":"std::string","kind":"string","bytes":32,"place":"*rax"}
