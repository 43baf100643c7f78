// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#[inline(never)]
fn fails(n: i32) -> i32 {
    assert!(n < 3, "too much");
    n
}

fn main() {
    println!("{} {}", plain::twice("two"), macros::seven!());
    println!("unstable: {}", env!("PROBE"));
    println!("caught: {}", std::panic::catch_unwind(|| fails(4)).is_err());
}

#[test]
fn passes() {
    assert_eq!(plain::twice("a"), "aa");
}
