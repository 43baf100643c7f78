// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What many crates ask: does this compiler take features that are not stable?
fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    std::fs::write(format!("{out}/probe.rs"), "#![feature(rustc_attrs)]").unwrap();
    let wrapper = std::env::var("RUSTC_WRAPPER").unwrap_or("env".to_string());
    let probe = std::process::Command::new(wrapper)
        .args([&std::env::var("RUSTC").unwrap(), "--crate-type=lib", "--emit=metadata", "--out-dir", &out])
        .arg(format!("{out}/probe.rs"))
        .output();
    println!("cargo:rustc-env=PROBE={}", probe.unwrap().status.success());
}
