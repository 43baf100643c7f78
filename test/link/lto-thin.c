// ThinLTO writes descriptors in the link, for the signatures that the link has made.
// REQUIRES: lld
// RUN: %clang -O2 -g -flto=thin %instrument -c %s -o %t.bc
// RUN: %llvm-dis %t.bc -o - | FileCheck %s --check-prefix=OBJECT
// RUN: %clang -O2 -g -flto=thin %t.bc %tables -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t && %t
// RUN: %python %S/note.py %t | FileCheck %s
// With both of its doors the plugin is still the one that compiles.
// RUN: %clang -O2 -g -flto=thin %instrument -fpass-plugin=%plugin -c %s -o %t.twice.bc
// RUN: %llvm-dis %t.twice.bc -o - | FileCheck %s --check-prefix=OBJECT
// RUN: %nophook list --args %t | FileCheck %s --check-prefix=ARGS

// OBJECT-NOT: __ftrace_args
// OBJECT: define {{.*}} @used(i64 {{.*}}"nophook-arg"="1:0"
// OBJECT-NOT: __ftrace_args
// CHECK: 2 sites, 2 descriptors
// CHECK-NEXT: main: through 0
// CHECK-NEXT: used: through 0
// ARGS-DAG: long used(long amount)
// ARGS-DAG: int main()
__attribute__((noinline, optnone)) long used(long amount) { return amount * 3; }
int main(void) { return used(0) != 0; }
