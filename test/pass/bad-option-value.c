// A value that an option cannot have is an error that says what it can have.
// RUN: not %clang %instrument %option-min-size=big -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %clang %instrument %option-min-size=-1 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %clang %instrument %option-min-size -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %clang %instrument %option-only-exported=yes -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SWITCH
// RUN: not %clang %instrument %option-descriptors=maybe -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WHERE
// RUN: not %clang %instrument %option-include -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FILE
// SIZE: error: nophook: option 'min-size' is a number of instructions, not '{{(big|-1)?}}'
// SWITCH: error: nophook: option '{{.*}}' is 'on' or 'off', not 'yes'
// WHERE: error: nophook: option 'descriptors' is 'on', 'file' or 'off', not 'maybe'
// FILE: error: nophook: option 'include' needs a file: include=FILE
void work(void) {}
