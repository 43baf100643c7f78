// A part of a structure that the function does not use is shown with a `?`, since a caller may have passed anything there; the parts beside it are shown without.
// RUN: %traced_cxx -O2 %s -o %t && %nophook record --args -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook list --args --json %t | FileCheck %s --check-prefix=LIST
struct Money { long amount, currency; };
struct Pair { double first; long second; };
struct Nested { struct { long inner; } in; int list[2]; };
long sum;
[[gnu::noinline]] void amount(Money money) { sum += money.amount; }
[[gnu::noinline]] void currency(Money money) { sum += money.currency; }
[[gnu::noinline]] void both(Money money) { sum += money.amount + money.currency; }
[[gnu::noinline]] void neither(Money) { sum++; }
[[gnu::noinline]] void mixed(Pair pair) { sum += (long)pair.first; }
[[gnu::noinline]] void nested(Nested nested) { sum += nested.in.inner; }
int main() {
  sum = 7;
  amount({100, 978}), currency({100, 978}), both({100, 978}), neither({100, 978}), mixed({2.5, 3}), nested({{5}, {6, 7}});
}
// CHECK: amount(money={amount=100, currency={{-?[0-9]+}}?})
// CHECK: currency(money={amount={{-?[0-9]+}}?, currency=978})
// CHECK: both(money={amount=100, currency=978})
// CHECK: neither({amount={{-?[0-9]+}}, currency={{-?[0-9]+}}}?)
// CHECK: mixed(pair={first=2.5, second={{-?[0-9]+}}?})
// CHECK: nested(nested={in={inner=5}, list=[{{-?[0-9]+}}?, {{-?[0-9]+}}?]})
// LIST: "function":"amount(Money)",{{.*}}"place":"rdi:rsi?"
