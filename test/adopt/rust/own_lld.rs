// rustup's rustc (1.90 and later) links by an lld in a folder of its own, which it names in front of all others: its programs are traceable.
// RUN: rm -rf %t && mkdir -p %t/gcc-ld && ln -s %lld %t/gcc-ld/ld.lld
// RUN: printf '#!/bin/sh\nexec %debian_rustc "-Clink-args=-B%t/gcc-ld -fuse-ld=lld" "$@"\n' > %t/rustc && chmod +x %t/rustc
// RUN: env NOPHOOK_RUSTC=%t/rustc %nophook rustc -O %s -o %t/it && %t/it && %nophook list %t/it | FileCheck %s
// CHECK: call-through {{.*}}twice
#[inline(never)]
#[no_mangle]
pub extern "C" fn twice(n: i32) -> i32 {
    n * 2
}
fn main() {
    std::process::exit(twice(std::env::args().count() as i32) - 2);
}
