// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#[inline(never)]
pub fn twice(text: &str) -> String {
    text.repeat(2)
}
