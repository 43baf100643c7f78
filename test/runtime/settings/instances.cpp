// An instance that NOPHOOK= makes chooses C++ functions by their names, and has an event from the start. instances/NAME/FILE=VALUE is a write to that file.
// RUN: %traced_cxx -O1 %s -o %t %linked && rm -rf %t.buf && mkdir %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf current_tracer=nop trace_instance=plain instances/kv/set_ftrace_filter=kv::Store::get,*::put* instances/kv/current_tracer=function" %t
// RUN: %nophook report %t.buf/*@kv.buf | FileCheck %s
// RUN: %show --python 'sorted(b.path.split("@")[1] for b in buffers if "@" in b.path) == ["kv.buf", "plain.buf"]' %t.buf
// CHECK:     kv::Store::put <-main
// CHECK:     kv::Store::get <-main
// CHECK-NOT: drop

namespace kv {
struct Store {
  int value = 0;
  __attribute__((noinline)) void put(int v) {
    value = v;
    asm volatile("" ::: "memory");
  }
  __attribute__((noinline)) int get() {
    asm volatile("" ::: "memory");
    return value;
  }
  __attribute__((noinline)) void drop() {
    value = 0;
    asm volatile("" ::: "memory");
  }
};
} // namespace kv

int main() {
  kv::Store store;
  store.put(1);
  store.drop();
  return store.get();
}
