// Arguments and results of C++ functions: std::string and std::string_view as text, references by what they refer to, scoped enumerators, members with their object; a call that throws has no result.
// RUN: %traced_cxx %s -o %t && %nophook record --args --retval -l 'Shape::*' -l view -l by_value -l reference -l '*twice*' -l thrower -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: env NOPHOOK_CXX=g++ %nophook c++ -std=c++20 -O1 -g %s -o %t.gcc && %nophook record --args --retval -l 'Shape::*' -l view -l by_value -l reference -l '*twice*' -l thrower -o %t.data -- %t.gcc && %nophook report %t.data | FileCheck %s
#include <stdexcept>
#include <string>
#include <string_view>

#define SEEN __attribute__((noinline, used))
#define KEEP(value) __asm__ volatile("" : : "g"(&(value)) : "memory")
enum class Mode : unsigned char { kSlow = 1, kFast = 2 };
class Shape {
public:
  explicit Shape(const std::string &name) : name_(name) {}
  SEEN int area(int factor) const { KEEP(factor); return factor * (int)name_.size(); }
  SEEN static std::string join(const std::string &a, std::string_view b) { KEEP(b); return a + std::string(b); }
private:
  std::string name_;
};
SEEN std::string_view view(std::string_view text, Mode mode) { KEEP(mode); return text.substr(1); }
SEEN void by_value(std::string text) { KEEP(text); }
SEEN int &reference(int &a, bool b) { KEEP(b); return a; }
template <class T> SEEN T twice(T value) { KEEP(value); return value + value; }
SEEN int thrower(int a) { KEEP(a); if (a > 3) throw std::runtime_error("too much"); return a; }

int main() {
  Shape shape("square");
  shape.area(3);
  Shape::join("left, which is longer than what a string has room for", "right");
  view("hello", Mode::kFast);
  by_value("value");
  int a = 5;
  reference(a, true);
  twice(1.5f);
  twice(std::string("ab"));
  try { thrower(4); } catch (const std::exception &) {}
  thrower(1);
}
// CHECK: Shape::area(this=0x{{[0-9a-f]+}}, factor=3); /* ret=18 */
// CHECK: Shape::join(a="left, which is longer than what a string has room for", b="right")
// CHECK-SAME: ret="left, which is longer than what a string has room forright"
// CHECK: view(text="hello", mode=kFast); /* ret="ello" */
// CHECK: by_value(text="value");
// CHECK: reference(a=5, b=true); /* ret=5 */
// CHECK: twice<float>(value=1.5); /* ret=3 */
// CHECK: twice<std::{{.*}}>(value="ab"); /* ret="abab" */
// CHECK: thrower(a=4); /* left */
// CHECK: thrower(a=1); /* ret=1 */
