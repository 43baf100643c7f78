// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path: from a patched site into a ring and on into the function.
//
// A site reaches us through its thunk, `push $id; jmp *slot`, from a `call` (function
// tracer) or a `jmp` (function_graph). No register is free at the entry of a function:
// preserve_none passes arguments in r11, r10 is the static chain, al the number of vector
// arguments. At its exit preserve_most and swift return in or preserve almost all of them.
// So every general register keeps its value, and vector registers are never touched. The
// arithmetic flags are nobody's across a call.
//
// function_graph does not touch the return address. It calls the body:
//
//      caller ... | return address            <- A, `ret` of the last line takes it
//                 | caller's rbp              <- rbp   (frame pointer walks find A here)
//                 | spare                     <- rbp-8
//                 | id                        <- rbp-16, rsp at the call
//                 | return address to us      <- rbp-24, pushed by the call
//      body's frame
//
// 32 bytes more than the untraced call. Calls and returns stay paired, so return prediction
// and shadow stacks are right; DWARF and frame pointer unwinders see a plain frame, so
// exceptions, cancellation and backtrace() pass through; longjmp and fibers may drop it.
//
// A tail call finds our own address at A: then the function has replaced one that we called.
// It gets a TAIL event and no frame, or a loop of tail calls would overflow the stack.
//
// Temporaries live in the 128 bytes below rsp that signal handlers leave alone.

#include "arch/fast_path.h"
#include <nophook/buffer.h>

#define DT_SPAN (1 << NOPHOOK_DT_BITS)
#define SP_SPAN (1 << (NOPHOOK_SP_BITS + NOPHOOK_SP_UNIT_SHIFT))

        .section .text.nophook_trampolines,"ax",@progbits

// The writer into rsi and its position into rcx; to \slow if there is none, or if the thread
// has changed its CPU. The position is read before the clock: a signal handler that writes
// in between moves it, and the compare-and-exchange in RESERVE fails.
.macro OPEN slow
        mov     nophook_writer@gottpoff(%rip), %rdx
        mov     %fs:(%rdx), %rsi
        test    %rsi, %rsi
        jz      \slow
        mov     nophook_cpu_offset(%rip), %rdx
        mov     WRITER_POS(%rsi), %rcx
        mov     %fs:(%rdx), %edx
        cmp     WRITER_CPU(%rsi), %edx
        jne     \slow
.endm

// rdi |= ticks since the time base, then takes \bytes of the ring at rcx.
// In: rsi, rcx as OPEN left them, rdi the word without its time. Clobbers rax, rdx.
.macro RESERVE bytes, slow
        rdtsc
        shl     $32, %rdx
        or      %rdx, %rax
        sub     WRITER_TIME_BASE(%rsi), %rax
        cmp     $DT_SPAN, %rax
        jae     \slow
        or      %rax, %rdi
        lea     \bytes(%rcx), %rdx
        cmp     WRITER_LIMIT(%rsi), %rdx
        ja      \slow
        mov     %rcx, %rax
        cmpxchg %rdx, WRITER_POS(%rsi)  // no lock prefix: only our own handlers compete
        jne     \slow
.endm

// Writes an event of \kind for the id in eax (zero-extended) and the frame in rbp.
// Clobbers rax, rcx, rdx, rsi, rdi.
.macro GRAPH_EVENT kind, slow
        OPEN    \slow
        mov     WRITER_SP_BASE(%rsi), %rdi
        sub     %rbp, %rdi
        cmp     $SP_SPAN, %rdi
        jae     \slow
        shr     $NOPHOOK_SP_UNIT_SHIFT, %rdi
        add     $(\kind << NOPHOOK_ID_BITS), %eax
        shl     $NOPHOOK_SP_BITS, %rax
        or      %rax, %rdi
        shl     $NOPHOOK_SP_SHIFT, %rdi
        RESERVE 8, \slow
        mov     %rdi, (%rcx)
.endm

// Begins the frame. In: rsp -> id, return address; as a thunk entered by jmp leaves them.
// Out: rbp frame; rax, rdx, rcx, rsi, rdi saved; eax = id; rsp = rbp - 8.
.macro GRAPH_ENTER
        .cfi_startproc
        .cfi_def_cfa_offset 16
        endbr64
        push    %rax
        .cfi_adjust_cfa_offset 8
        mov     8(%rsp), %eax
        mov     %rbp, 8(%rsp)
        .cfi_offset %rbp, -16
        lea     8(%rsp), %rbp
        .cfi_def_cfa %rbp, 16
        GRAPH_SAVE
        mov     %eax, -16(%rbp)
        mov     nophook_bodies(%rip), %rdx
        mov     (%rdx,%rax,8), %rdx
        mov     %rdx, -24(%rbp)
.endm

.macro GRAPH_SAVE
        mov     %rdx, -32(%rbp)
        mov     %rcx, -40(%rbp)
        mov     %rsi, -48(%rbp)
        mov     %rdi, -56(%rbp)
.endm

.macro GRAPH_RESTORE
        mov     -8(%rbp), %rax
        mov     -32(%rbp), %rdx
        mov     -40(%rbp), %rcx
        mov     -48(%rbp), %rsi
        mov     -56(%rbp), %rdi
.endm

// To \tail if the function was entered by a tail call from one that we called.
.macro GRAPH_TEST_TAIL tail
        lea     graph_text_begin(%rip), %rdx
        mov     8(%rbp), %rcx
        sub     %rdx, %rcx
        cmp     $(graph_text_end - graph_text_begin), %rcx
        jb      \tail
.endm

// Enters the body without a frame: stack and registers as the caller left them. The body's
// address is 32 bytes below the return address, out of the reach of signal handlers.
.macro GRAPH_JUMP_BODY
        GRAPH_RESTORE
        lea     8(%rbp), %rsp
        mov     (%rbp), %rbp
        .cfi_remember_state
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        notrack jmp *-32(%rsp)
        .cfi_restore_state
.endm

// The slow path for the frame in rbp, then to \back. rsp may be above the temporaries.
.macro GRAPH_SLOW kind, back
        lea     -64(%rbp), %rsp
        push    %r8
        push    %r9
        push    %r10
        push    %r11
        mov     $\kind, %edi
        mov     -16(%rbp), %esi
        mov     %rbp, %rdx
        xor     %ecx, %ecx
        call    nophook_event_slow
        pop     %r11
        pop     %r10
        pop     %r9
        pop     %r8
        jmp     \back
.endm

        .p2align 6
graph_text_begin:

// function_graph, a function without arguments on the stack.
// Entered by jmp from a thunk. Clobbers nothing; 32 bytes of stack until the body returns.
        .globl  nophook_graph_caller
        .hidden nophook_graph_caller
        .type   nophook_graph_caller, @function
nophook_graph_caller:
        GRAPH_ENTER
        GRAPH_TEST_TAIL graph_tail
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY, graph_entry_slow
graph_call:
        GRAPH_RESTORE
        lea     -16(%rbp), %rsp
        notrack call *-8(%rsp)          // the operand is read before the push overwrites it
graph_return:
        mov     %rax, -8(%rbp)
        GRAPH_SAVE
        mov     -16(%rbp), %eax
        GRAPH_EVENT NOPHOOK_EVENT_EXIT, graph_exit_slow
graph_leave:
        GRAPH_RESTORE
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        ret
        .cfi_restore_state

graph_tail:
        GRAPH_EVENT NOPHOOK_EVENT_TAIL, graph_tail_slow
graph_tail_jump:
        GRAPH_JUMP_BODY

graph_entry_slow:
        GRAPH_SLOW NOPHOOK_EVENT_ENTRY, graph_call
graph_exit_slow:
        GRAPH_SLOW NOPHOOK_EVENT_EXIT, graph_leave
graph_tail_slow:
        GRAPH_SLOW NOPHOOK_EVENT_TAIL, graph_tail_jump
        .cfi_endproc
        .size   nophook_graph_caller, . - nophook_graph_caller

// function_graph, a function with arguments on the stack: they are copied below the frame,
// at the same address modulo 64, because a __m512 among them must stay aligned.
//
//      A+8     caller's arguments, n bytes
//      A       return address
//      rbp     caller's rbp, temporaries down to rbp-56
//      A+8-d   copy of the arguments, d = n + 80 rounded up to 64; rsp at the call
//      A-d     return address to us
        .p2align 4
        .globl  nophook_graph_copy_caller
        .hidden nophook_graph_copy_caller
        .type   nophook_graph_copy_caller, @function
nophook_graph_copy_caller:
        GRAPH_ENTER
        GRAPH_TEST_TAIL graph_copy_tail
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY, graph_copy_entry_slow
graph_copy_call:
        mov     -16(%rbp), %eax
        mov     nophook_copies(%rip), %rdx
        mov     (%rdx,%rax,4), %ecx
        lea     143(%rcx), %rdx         // n + 80 + 63
        and     $-64, %rdx
        lea     16(%rbp), %rsi
        mov     %rsi, %rdi
        sub     %rdx, %rdi
        mov     %rdi, %rsp
        mov     -24(%rbp), %rdx
        mov     %rdx, -8(%rsp)
        shr     $3, %ecx
        rep movsq
        GRAPH_RESTORE
        notrack call *-8(%rsp)
graph_copy_return:
        mov     %rax, -8(%rbp)
        GRAPH_SAVE
        mov     -16(%rbp), %eax
        GRAPH_EVENT NOPHOOK_EVENT_EXIT, graph_copy_exit_slow
graph_copy_leave:
        GRAPH_RESTORE
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        ret
        .cfi_restore_state

graph_copy_tail:
        GRAPH_EVENT NOPHOOK_EVENT_TAIL, graph_copy_tail_slow
graph_copy_tail_jump:
        GRAPH_JUMP_BODY

graph_copy_entry_slow:
        GRAPH_SLOW NOPHOOK_EVENT_ENTRY, graph_copy_call
graph_copy_exit_slow:
        GRAPH_SLOW NOPHOOK_EVENT_EXIT, graph_copy_leave
graph_copy_tail_slow:
        GRAPH_SLOW NOPHOOK_EVENT_TAIL, graph_copy_tail_jump
        .cfi_endproc
        .size   nophook_graph_copy_caller, . - nophook_graph_copy_caller

graph_text_end:

// function_graph, a function that must not be called through: its entry is recorded and it
// goes on as if nothing had been there. Entered by jmp from a thunk. Clobbers nothing.
        .p2align 4
        .globl  nophook_graph_entry_caller
        .hidden nophook_graph_entry_caller
        .type   nophook_graph_entry_caller, @function
nophook_graph_entry_caller:
        GRAPH_ENTER
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY_ONLY, graph_only_slow
graph_only_jump:
        GRAPH_JUMP_BODY
graph_only_slow:
        GRAPH_SLOW NOPHOOK_EVENT_ENTRY_ONLY, graph_only_jump
        .cfi_endproc
        .size   nophook_graph_entry_caller, . - nophook_graph_entry_caller

// function: entered from a thunk that the site has called.
//
//      rsp+16  return address into the caller, the event's parent
//      rsp+8   behind the site
//      rsp     id
//
// Returns behind the site. Clobbers nothing; 56 bytes of stack.
        .p2align 6
        .globl  nophook_function_caller
        .hidden nophook_function_caller
        .type   nophook_function_caller, @function
nophook_function_caller:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        endbr64
        mov     %rax, -8(%rsp)
        mov     %rdx, -16(%rsp)
        mov     %rcx, -24(%rsp)
        mov     %rsi, -32(%rsp)
        mov     %rdi, -40(%rsp)
        mov     (%rsp), %edi
        OPEN    function_slow
        add     $(NOPHOOK_EVENT_FUNCTION << NOPHOOK_ID_BITS), %edi
        shl     $NOPHOOK_ID_SHIFT, %rdi
        RESERVE 16, function_slow
        mov     16(%rsp), %rax
        not     %rax
        mov     %rax, 8(%rcx)
        mov     %rdi, (%rcx)            // last: the event is complete now
function_leave:
        mov     -8(%rsp), %rax
        mov     -16(%rsp), %rdx
        mov     -24(%rsp), %rcx
        mov     -32(%rsp), %rsi
        mov     -40(%rsp), %rdi
        add     $8, %rsp
        .cfi_remember_state
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_restore_state

function_slow:
        sub     $40, %rsp
        .cfi_adjust_cfa_offset 40
        push    %r8
        .cfi_adjust_cfa_offset 8
        push    %r9
        .cfi_adjust_cfa_offset 8
        push    %r10
        .cfi_adjust_cfa_offset 8
        push    %r11
        .cfi_adjust_cfa_offset 8
        mov     $NOPHOOK_EVENT_FUNCTION, %edi
        mov     72(%rsp), %esi          // id
        xor     %edx, %edx
        mov     88(%rsp), %rcx          // return address into the caller
        call    nophook_event_slow
        pop     %r11
        .cfi_adjust_cfa_offset -8
        pop     %r10
        .cfi_adjust_cfa_offset -8
        pop     %r9
        .cfi_adjust_cfa_offset -8
        pop     %r8
        .cfi_adjust_cfa_offset -8
        add     $40, %rsp
        .cfi_adjust_cfa_offset -40
        jmp     function_leave
        .cfi_endproc
        .size   nophook_function_caller, . - nophook_function_caller

        .section .note.GNU-stack,"",@progbits
