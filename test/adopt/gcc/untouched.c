// A command that makes no object is gcc's alone: assembly, preprocessed text, dependencies, checks, answers.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.c
// RUN: cd %t && sh -c 'for what in -E -M -MM -fsyntax-only --version -dumpmachine; do gcc -O2 $what a.c > plain 2>&1; %nophook cc -O2 $what a.c > ours 2>&1; cmp plain ours || exit 1; done'
// RUN: cd %t && gcc -O2 -S a.c -o plain.s && %cc -O2 -S a.c -o ours.s && cmp plain.s ours.s
// RUN: cd %t && %cc -c a.c -o /dev/null && test -c /dev/null
// RUN: cd %t && %cc -### -c a.c -o none.o 2> out && test ! -e none.o
int main(void) { return 0; }
