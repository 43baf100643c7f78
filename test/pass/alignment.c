// Functions with a site begin at an even address, also where code is to be small, and keep what
// alignment they have anyway; functions without one stay as they are.
// RUN: %clang %instrument -Os -S %s -o - | FileCheck --check-prefixes=SMALL %s
// RUN: %clang %instrument -Oz -S %s -o - | FileCheck --check-prefixes=SMALL %s
// RUN: %clang %instrument -O2 -S %s -o - | FileCheck --check-prefixes=FAST %s
// SMALL-NOT: .p2align
// SMALL: {{^}}untraced:
// SMALL: .p2align 1
// SMALL: {{^}}plain:
// SMALL: .p2align 6
// SMALL: {{^}}aligned:
// FAST: .p2align 4
// FAST: {{^}}untraced:
// FAST: .p2align 4
// FAST: {{^}}plain:
// FAST: .p2align 6
// FAST: {{^}}aligned:
__attribute__((no_instrument_function)) int untraced(int n) { return n; }
int plain(int n) { return n; }
__attribute__((aligned(64))) int aligned(int n) { return n; }
