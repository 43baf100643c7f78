// A list that does not fit the file is an error for each name of it, and so is a line that cannot be read.
// RUN: printf 'take\tnowhere\ntake\tdeclared\ntake\tvariable\ntake\talias\nnew\talso_nowhere\n' > %t.names
// RUN: not %clang -fPIC %instrument %option-extract=%t.names -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: error: nophook: extract: the file has no 'nowhere'
// NAMES: error: nophook: extract: 'declared' is not defined in the file
// NAMES: error: nophook: extract: 'variable' is a variable, so its value cannot be taken
// NAMES: error: nophook: extract: 'alias' is an alias or an ifunc
// NAMES: error: nophook: extract: the file has no 'also_nowhere'
// RUN: printf 'take\tfunction\n' > %t.missing
// RUN: not %clang -fPIC %instrument %option-extract=%t.missing -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING-DAG: error: nophook: extract: 'variable' is needed, but the list does not say where it lives
// MISSING-DAG: error: nophook: extract: 'helper' is needed, but the list does not say where it lives
// RUN: not %clang -fno-pic -fno-pie %instrument %option-extract=%t.names -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PIC
// PIC: error: nophook: extract: code for a live patch must be compiled with -fPIC or -fPIE
// RUN: not %clang -fPIC -flto %instrument %option-extract=%t.names -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LTO
// LTO: error: nophook: extract: link-time optimization (-flto) is not supported
// RUN: printf 'take\ta\n\nold\tb\n' > %t.short && printf 'keep\ta\n' > %t.word && printf 'new\ta\nold\ta\tb\n' > %t.twice
// RUN: not %clang -fPIC %instrument %option-extract=%t.short -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: nophook: option 'extract': {{.*}}.short:3: expected old<TAB>NAME<TAB>SYMBOL
// RUN: not %clang -fPIC %instrument %option-extract=%t.word -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: nophook: option 'extract': {{.*}}.word:1: a line begins with 'take', 'new' or 'old', not 'keep'
// RUN: not %clang -fPIC %instrument %option-extract=%t.twice -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: nophook: option 'extract': {{.*}}.twice:2: 'a' is listed twice
// RUN: not %clang -fPIC %instrument %option-extract=%t.none -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: nophook: option 'extract': can't read file '{{.*}}.none'
int variable = 1;
int declared(void);
__attribute__((noinline)) static int helper(void) { return ++variable; }
int function(void) { return helper() + variable + declared(); }
int alias(void) __attribute__((alias("function")));
