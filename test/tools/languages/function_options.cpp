// The function tracer's options mean the same for C++: stacks, repeats, addresses, offsets, arguments, processes.
// RUN: %traced_cxx -fno-omit-frame-pointer -fno-optimize-sibling-calls %s -o %t
// RUN: %nophook record -p function --args -S trace_options=func_stack_trace -l 'space::Queue<*>::push' -o %t.data -- %t
// RUN: %nophook report -O noirq-info %t.data | FileCheck %s --check-prefix=STACK
// RUN: %nophook record -p function --args -l 'space::Queue<*>::push' -o %t.data -- %t
// RUN: %nophook report -O sym-offset -O nofunc-args %t.data | FileCheck %s --check-prefix=OFFSET
// RUN: %nophook report -O sym-addr -O nofunc-args %t.data | FileCheck %s --check-prefix=ADDR
// RUN: %nophook report -O noprint-parent -O nofunc-args %t.data | FileCheck %s --check-prefix=ALONE
// RUN: %nophook report -O noirq-info -O record-tgid %t.data | FileCheck %s --check-prefix=TGID
// RUN: %nophook report -O func-no-repeats %t.data | FileCheck %s --check-prefix=LATER
// RUN: %nophook record -p function -l 'space::Queue<*>::push' -o %t.data -- %t && %nophook report -O func-no-repeats %t.data | FileCheck %s --check-prefix=SAME
// RUN: %nophook record -p function -S trace_options=func-no-repeats -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=REPEATS
#define SEEN [[gnu::noinline, gnu::used]]
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
namespace space {
template <class T> class Queue {
public:
  SEEN void push(T value) { KEEP(this); KEEP(value); }
};
SEEN void fill(Queue<int> &queue) {
  for (int i = 0; i < 3; i++)
    queue.push(i);
  KEEP(0);
}
} // namespace space
int main() {
  space::Queue<int> queue;
  space::fill(queue);
  auto lambda = [&]() __attribute__((noinline)) { queue.push(7); KEEP(0); };
  lambda();
}
// STACK: {{] +[0-9]+\.[0-9]+}}: space::Queue<int>::push(this=0x{{[0-9a-f]+}}, value=0) <-space::fill
// STACK-NEXT: <stack trace>
// STACK-NEXT: => space::Queue<int>::push
// STACK-NEXT: => space::fill
// STACK-NEXT: => main
// STACK: value=7) <-main::$_0::operator()
// STACK-NEXT: <stack trace>
// STACK-NEXT: => space::Queue<int>::push
// STACK-NEXT: => main::$_0::operator()
// OFFSET: : space::Queue<int>::push+0x{{[04]}}/0x{{[0-9a-f]+}} <-space::fill+0x{{[1-9a-f][0-9a-f]*}}/0x{{[0-9a-f]+$}}
// ADDR: : space::Queue<int>::push <{{0000[0-9a-f]+}}> <-space::fill <{{0000[0-9a-f]+>$}}
// ALONE-COUNT-4: {{] \.{5} +[0-9]+\.[0-9]+}}: space::Queue<int>::push{{$}}
// TGID: -[[TID:[0-9]+]]{{ +}}({{ *}}[[TID]]) [{{[0-9]+}}]{{ .*}}: space::Queue<int>::push(this=0x
// LATER: : space::Queue<int>::push(this={{.*}}, value=0) <-space::fill
// LATER-NEXT: value=1) <-space::fill
// SAME: : space::Queue<int>::push <-space::fill
// SAME-NEXT: : space::Queue<int>::push <-space::fill (repeats: 2, last_ts: {{ *[0-9]+\.[0-9]+}})
// SAME-NEXT: : space::Queue<int>::push <-main::$_0::operator()
// REPEATS: : space::Queue<int>::push <-space::fill
// REPEATS-NEXT: : space::Queue<int>::push <-space::fill (repeats: 2, last_ts: {{ *[0-9]+\.[0-9]+}})
// REPEATS-NEXT: : main::$_0::operator() <-main
