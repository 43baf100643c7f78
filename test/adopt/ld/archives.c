// Archives are recorded as objects are: named, by -l, thin ones, and those of a response file; a shared library of the same name is not replaced.
// REQUIRES: gnu-ld
// RUN: rm -rf %t && mkdir -p "%t/a b" && cd %t && gcc -g -O1 -fpatchable-function-entry=5 -DF=main -c %s -o main.o && gcc -g -O1 -fpatchable-function-entry=5 -DF=part -c %s -o part.o
// RUN: ar rcs "a b/libpart.a" part.o && ar rcsT thin.a part.o && cp "a b/libpart.a" kept.a && cp part.o kept.o && cp thin.a kept.thin
// RUN: gcc -B%folder main.o "a b/libpart.a" -o named && ./named && %nophook list named 2>&1 | FileCheck %s && cmp kept.a "a b/libpart.a"
// RUN: gcc -B%folder main.o -L"a b" -lpart -o found && ./found && %nophook list found 2>&1 | FileCheck %s
// RUN: gcc -B%folder main.o -L"a b" -l:libpart.a -o exact && ./exact && %nophook list exact 2>&1 | FileCheck %s
// RUN: gcc -B%folder main.o thin.a -o thin && ./thin && %nophook list thin 2>&1 | FileCheck %s && cmp part.o kept.o && cmp thin.a kept.thin
// RUN: gcc -g -O1 -fpatchable-function-entry=5 -DMORE -DF=part -c %s -o part.o && gcc -B%folder main.o thin.a -o thin && ./thin
// RUN: %nophook list --args thin 2>&1 | FileCheck %s --check-prefix=CHANGED
// RUN: echo '-o response main.o "%t/a b/libpart.a" -lc --dynamic-linker /lib64/ld-linux-x86-64.so.2 -e main' > words && %nophook ld @words && %nophook list response 2>&1 | FileCheck %s
// RUN: gcc -shared -fPIC -DF=part %s -o "a b/libpart.so" && gcc -B%folder main.o -L"a b" -lpart -Wl,-rpath,"%t/a b" -o shared && ./shared && %nophook list shared 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: gcc -B%folder main.o -L"a b" -Wl,-Bstatic -lpart -Wl,-Bdynamic -o chosen && ./chosen && %nophook list chosen 2>&1 | FileCheck %s
// CHECK: 2 functions: 2 call-through
// CHANGED: part(int n, char **words, int more)
// ONE: 1 function: 1 call-through
#ifdef MORE
int F(int n, char **words, int more) { return 2; }
#else
int part(int n, char **words);
int F(int n, char **words) { return n > 1 || !words ? n : part(n + 1, words) - 2; }
#endif
