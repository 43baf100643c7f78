// rustc's programs are traceable in each way it builds them; debug info that is switched off stays so; questions and other targets get no flag.
// RUN: rm -rf %t && mkdir %t && cd %t && %nophook rustc %s -o debug && ./debug && %nophook list debug 2>&1 | FileCheck %s
// RUN: %if long %{ %nophook rustc -O -Cdebuginfo=1 -C lto=fat -C panic=abort %s -o lto && ./lto && %nophook list lto 2>&1 | FileCheck %s %}
// RUN: %nophook rustc -O -C strip=symbols -C codegen-units=1 %s -o stripped && ./stripped && %nophook list --summary stripped 2>&1 | FileCheck %s --check-prefix=STRIPPED
// RUN: %nophook rustc -O -Cdebuginfo=0 %s -o without && ./without && %nophook list without 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: %nophook rustc --crate-type cdylib -O %s -o lib.so && %nophook list lib.so 2>&1 | FileCheck %s
// RUN: %nophook rustc -vV > ours && %debian_rustc -vV > theirs && cmp ours theirs
// RUN: %exits 1 %nophook rustc --target i686-unknown-linux-gnu %s -o foreign 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: %exits 1 env NOPHOOK_RUSTC=%t/none %nophook rustc %s 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK: call-through {{.*}}twice
// STRIPPED: {{[1-9]}} call-through
// WITHOUT: entry only{{.*}}twice
// FOREIGN: nophook: warning: programs for this target cannot be traced
// NONE: nophook: {{.*}}none: cannot be executed: No such file or directory (Debian: rustc-web, cargo-web)
#[inline(never)]
#[no_mangle]
pub extern "C" fn twice(n: i32) -> i32 {
    n * 2
}
#[allow(dead_code)]
fn main() {
    std::process::exit(twice(std::env::args().count() as i32) - 2);
}
