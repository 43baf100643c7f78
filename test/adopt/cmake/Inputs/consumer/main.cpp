// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" int in_shared(void), in_fixed(void), in_objects(void);
int main() { return in_shared() + in_fixed() + in_objects(); }
