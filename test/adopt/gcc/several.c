// Several sources in one command, objects and assembly among them: each function is there once.
// RUN: rm -rf %t && split-file %s %t && cd %t && %cc -O2 -fomit-frame-pointer -c one.c two.c && %cc one.o two.o main.c three.s -o a && ./a
// RUN: %nophook list %t/a 2>/dev/null | sed 's/.* //' | sort | FileCheck %s --match-full-lines
// CHECK:      main
// CHECK-NEXT: one
// CHECK-NEXT: three
// CHECK-NEXT: two
// CHECK-NOT: {{.}}
//--- one.c
int one(void) { return 1; }
//--- two.c
int two(void) { return 2; }
//--- main.c
int one(void), two(void), three(void);
int main(void) { return one() + two() - three(); }
//--- three.s
	.globl	three
	.type	three, @function
three:
	call	*__fentry__@GOTPCREL(%rip)
	movl	$3, %eax
	ret
	.size	three, .-three
	.section .note.GNU-stack
