# A 32-bit program is refused for that reason, and runs on.
# REQUIRES: ptrace, runs-32-bit
# RUN: rm -rf %t.run && mkdir %t.run
# RUN: %clang -m32 -static -nostdlib -fuse-ld=lld %s -o %t
# RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/one_refusal.py %nophook %t %t.run "it is a 32-bit program, which the runtime is not made for"
        .globl  _start
# It counts in the file that its first argument names, until its standard input ends.
_start: movl    8(%esp), %ebx
        movl    $5, %eax                # open(path, O_RDWR)
        movl    $2, %ecx
        int     $0x80
        pushl   $0
        pushl   %eax
        pushl   $1                      # MAP_SHARED
        pushl   $3                      # PROT_READ | PROT_WRITE
        pushl   $4096
        pushl   $0
        movl    %esp, %ebx
        movl    $90, %eax               # mmap
        int     $0x80
        movl    %eax, %esi
1:      incl    (%esi)
        pushl   $0x10001                # poll: descriptor 0, POLLIN; a POLLHUP is among the results
        movl    $1, (%esp)
        movl    $0, %eax
        pushl   %eax
        movl    %esp, %ebx
        movl    $1, %ecx
        movl    $1, %edx                # for a millisecond
        movl    $168, %eax
        int     $0x80
        addl    $8, %esp
        testl   %eax, %eax
        jz      1b
        movl    $1, %eax                # exit(0)
        movl    $0, %ebx
        int     $0x80
