// The counts of a profile are not read through a link in the buffer's folder.
// RUN: %traced_cc %s %linked -o %t && rm -rf %t.d && mkdir %t.d && chmod 700 %t.d
// RUN: env NOPHOOK="buffer_dir=%t.d buffer_size_kb=1024 current_tracer=profile" %t && %nophook report %t.d | FileCheck %s
// RUN: sh -eu -c 'cd %t.d && mv *.prof counts && ln -s counts "$(basename *.buf .buf).prof"' && %nophook report %t.d | FileCheck %s --check-prefix=LINK --allow-empty
// CHECK: work
// LINK-NOT: work
__attribute__((noinline)) static int work(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}
int main(void) { return work(0); }
