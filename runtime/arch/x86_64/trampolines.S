// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path: from a patched site into a ring and on into the function.
//
// A site reaches us through its thunk, `push $id; jmp *slot`, from a `call` (function
// tracer) or a `jmp` (function_graph). No register is free at the entry of a function:
// preserve_none passes arguments in r11, r10 is the static chain, al the number of vector
// arguments. At its exit preserve_most and swift return in or preserve almost all of them.
// So every general register keeps its value, and vector registers are never touched. A
// call preserves no arithmetic flags.
//
// function_graph does not touch the return address. It calls the body:
//
//      caller ... | return address            <- A, `ret` of the last line takes it
//                 | caller's rbp              <- rbp   (frame pointer walks find A here)
//                 | signature: id and sp      <- rbp-8
//                 | spare                     <- rbp-16, rsp at the call
//                 | return address to us      <- rbp-24, pushed by the call
//      body's frame
//
// 32 bytes more than the untraced call. Calls and returns stay paired, so return prediction
// and shadow stacks are right; DWARF and frame pointer unwinders see a plain frame, so
// exceptions, cancellation and backtrace() pass through; longjmp and fibers may drop it.
//
// The mark is the frame's own address as long as the body runs, so that a fork child finds the calls
// that are open (buffer/open_frames.h). The result is saved over it.
//
// A tail call finds our own address at A: then the function has replaced one that we called.
// It gets a TAIL event and no frame, or a loop of tail calls would overflow the stack. Its id goes
// into the upper half of the mark of the call that it has replaced.
//
// Temporaries live in the 128 bytes below rsp that signal handlers leave alone.
//
// A signal handler may interrupt this code anywhere and write events of its own. So we read the
// position, then the clock and the bases, and only then move the position, by an xadd without
// lock prefix. If that returns another position than the one read, a handler has written in
// between: the time is too early and the bases may be old. The slot is then padded, and the slow
// path begins the event again. (cmpxchg would do the same and costs 1 ns more.)
//
// The cost is the number of instructions, since none overlaps with rdtsc: 10 of them take half a
// nanosecond.

#include "arch/fast_path.h"
#include "arch/x86_64/body_frame.inc"
#include <nophook/buffer.h>

#define DT_SPAN (1 << NOPHOOK_DT_BITS)
#define BODY 24
#define MARK -16
// Distance from the frame of a tail call to the frame that its owner was called from.
#define TO_OWNER (8 + BODY)
// Bits that the distance of a frame from the stack base must not have.
#define SP_REST (~(((1 << NOPHOOK_SP_BITS) - 1) << NOPHOOK_SP_UNIT_SHIFT))
#define SP_LEFT (NOPHOOK_SP_SHIFT - NOPHOOK_SP_UNIT_SHIFT)

        .section .text.nophook_trampolines,"ax",@progbits

// rsi = the writer, rcx = its position. To \slow if the word that it watches has changed, if the
// sub-buffer is full, or if there is none (a thread's first event). Clobbers rdx.
.macro OPEN slow
        mov     nophook_writer@gottpoff(%rip), %rdx
        mov     %fs:(%rdx), %rsi
        mov     WRITER_WATCH(%rsi), %rdx
        mov     WRITER_POS(%rsi), %rcx
        mov     %fs:(%rdx), %edx
        cmp     WRITER_WATCHED(%rsi), %edx
        jne     \slow
        cmp     WRITER_LIMIT(%rsi), %rcx
        jae     \slow
.endm

// rax = ticks since the time base. Clobbers rdx.
.macro STAMP slow
        rdtsc
        cmp     WRITER_TIME_BASE+4(%rsi), %edx
        jne     \slow
        sub     WRITER_TIME_BASE(%rsi), %eax
        cmp     $DT_SPAN, %eax
        jae     \slow
.endm

// Takes \bytes at rcx; to \pad with the slot in rdx if a handler has come in between.
.macro RESERVE bytes, pad
        mov     $\bytes, %edx
        xadd    %rdx, WRITER_POS(%rsi)
        cmp     %rdx, %rcx
        jne     \pad
.endm

// Fills the slot at rdx. Below 4096 it is none: the handler found no sub-buffer.
.macro PAD bytes
        cmp     $4096, %rdx
        jb      .Lskip\@
        movabs  $((NOPHOOK_EVENT_CONTROL << NOPHOOK_KIND_SHIFT) | (NOPHOOK_CONTROL_PAD << NOPHOOK_ID_SHIFT)), %rax
        mov     %rax, (%rdx)
        .if \bytes == 16
        mov     %rax, 8(%rdx)
        .endif
.Lskip\@:
.endm

// Writes the event of an entry; id in eax, frame in rbp. Leaves the signature at rbp-8.
// Slow labels: \slow_id with the id in eax, \slow with the signature at rbp-8.
.macro GRAPH_EVENT kind, slow_id, slow, pad
        OPEN    \slow_id
        mov     WRITER_SP_BASE(%rsi), %rdx
        sub     %rbp, %rdx
        test    $SP_REST, %rdx
        jnz     \slow_id
        shl     $SP_LEFT, %rdx
        shl     $NOPHOOK_ID_SHIFT, %rax
        add     %rdx, %rax
        mov     %rax, -8(%rbp)
        STAMP   \slow
        add     -8(%rbp), %rax
        GRAPH_KIND \kind
        RESERVE 8, \pad
        mov     %rax, (%rcx)
.endm

// rax |= kind.
.macro GRAPH_KIND kind
        .irp bit, 0, 1, 2
        .if \kind & (1 << \bit)
        bts     $(NOPHOOK_KIND_SHIFT + \bit), %rax
        .endif
        .endr
.endm

// The slow path for the frame in rbp, then to \back. A lost entry goes to \lost, which enters the
// body without a frame. \frame is 0 for an exit: it has its entry's signature, and its frame goes
// where other events have a parent. rsp may be anywhere below rbp.
.macro GRAPH_SLOW kind, frame, back, lost
        FRAME_PUSH_OTHERS BODY
        mov     $\kind, %edi
        mov     -8(%rbp), %rsi
        .if \frame
        mov     %rbp, %rdx
        xor     %ecx, %ecx
        .else
        xor     %edx, %edx
        mov     %rbp, %rcx
        .endif
        call    nophook_event_slow
        mov     %rax, -8(%rbp)
        FRAME_POP_OTHERS
        .ifnb   \lost
        testb   $SIGNATURE_LOST, -8(%rbp)
        jnz     \lost
        .endif
        jmp     \back
.endm

// The three ways into the slow path of an entry.
.macro GRAPH_ENTRY_SLOW name, kind, back, lost
\name\()_pad:
        PAD     8
        jmp     \name
\name\()_id:
        shl     $NOPHOOK_ID_SHIFT, %rax
        mov     %rax, -8(%rbp)
\name\():
        GRAPH_SLOW \kind, 1, \back, \lost
.endm

// function_graph, a function without arguments on the stack.
// Entered by jmp from a thunk. Clobbers nothing; 32 bytes of stack until the body returns.
        .p2align 6
        .globl  nophook_graph_caller
        .hidden nophook_graph_caller
        .type   nophook_graph_caller, @function
nophook_graph_caller:
        FRAME_ENTER BODY
        FRAME_TEST_TAIL graph_tail, nophook_graph_return, nophook_exit_return
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY, graph_entry_slow_id, graph_entry_slow, graph_entry_slow_pad
graph_entered:
        FRAME_RESTORE BODY
        lea     -16(%rbp), %rsp
graph_call:
        mov     %rbp, MARK(%rbp)
        notrack call *-8(%rsp)          // the operand is read before the push overwrites it
        .globl  nophook_graph_return
        .hidden nophook_graph_return
nophook_graph_return:
        FRAME_SAVE BODY, MARK
        OPEN    graph_exit_slow
        STAMP   graph_exit_slow
        add     -8(%rbp), %rax
        GRAPH_KIND NOPHOOK_EVENT_EXIT
        RESERVE 8, graph_exit_pad
        mov     %rax, (%rcx)
graph_left:
        FRAME_LEAVE BODY, MARK

graph_tail:
        GRAPH_EVENT NOPHOOK_EVENT_TAIL, graph_tail_slow_id, graph_tail_slow, graph_tail_slow_pad
graph_tail_written:
        lea     nophook_graph_return(%rip), %rdx
        cmp     %rdx, 8(%rbp)
        jne     graph_tail_jump
        lea     TO_OWNER(%rbp), %rdx
        cmp     %edx, TO_OWNER+MARK(%rbp)
        jne     graph_tail_jump         // the owner has arguments on the stack: its frame is further up
        mov     -8(%rbp), %rdx
        shr     $NOPHOOK_ID_SHIFT, %rdx
        bts     $GRAPH_MARK_TAIL_BIT, %edx
        mov     %edx, TO_OWNER+MARK+4(%rbp)
graph_tail_jump:
        FRAME_JUMP_BODY BODY

        GRAPH_ENTRY_SLOW graph_entry_slow, NOPHOOK_EVENT_ENTRY, graph_entered, graph_tail_jump
        GRAPH_ENTRY_SLOW graph_tail_slow, NOPHOOK_EVENT_TAIL, graph_tail_written
graph_exit_pad:
        PAD     8
graph_exit_slow:
        GRAPH_SLOW NOPHOOK_EVENT_EXIT, 0, graph_left
        .cfi_endproc
        .size   nophook_graph_caller, . - nophook_graph_caller

// function_graph, a function with arguments on the stack.
        .p2align 4
        .globl  nophook_graph_copy_caller
        .hidden nophook_graph_copy_caller
        .type   nophook_graph_copy_caller, @function
nophook_graph_copy_caller:
        FRAME_ENTER BODY
        mov     %eax, MARK(%rbp)        // until the call
        FRAME_TEST_TAIL copy_tail, nophook_graph_return, nophook_exit_return
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY, copy_entry_slow_id, copy_entry_slow, copy_entry_slow_pad
copy_entered:
        mov     MARK(%rbp), %eax
        FRAME_COPY_ARGUMENTS BODY
        FRAME_RESTORE BODY
        jmp     graph_call              // one call for all frames: FRAME_TEST_TAIL

copy_tail:
        GRAPH_EVENT NOPHOOK_EVENT_TAIL, copy_tail_slow_id, copy_tail_slow, copy_tail_slow_pad
copy_tail_jump:
        FRAME_JUMP_BODY BODY

        GRAPH_ENTRY_SLOW copy_entry_slow, NOPHOOK_EVENT_ENTRY, copy_entered, copy_tail_jump
        GRAPH_ENTRY_SLOW copy_tail_slow, NOPHOOK_EVENT_TAIL, copy_tail_jump
        .cfi_endproc
        .size   nophook_graph_copy_caller, . - nophook_graph_copy_caller

// function_graph, a function that must not be called through: its entry is recorded and it
// goes on as if nothing had been there. Entered by jmp from a thunk. Clobbers nothing.
        .p2align 4
        .globl  nophook_graph_entry_caller
        .hidden nophook_graph_entry_caller
        .type   nophook_graph_entry_caller, @function
nophook_graph_entry_caller:
        FRAME_ENTER BODY
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY_ONLY, only_slow_id, only_slow, only_slow_pad
only_jump:
        FRAME_JUMP_BODY BODY
        GRAPH_ENTRY_SLOW only_slow, NOPHOOK_EVENT_ENTRY_ONLY, only_jump
        .cfi_endproc
        .size   nophook_graph_entry_caller, . - nophook_graph_entry_caller

// function: entered from a thunk that the site has called.
//
//      rsp+16  return address into the caller, if the site is at the function's entry
//      rsp+8   behind the site
//      rsp     id
//
// Returns behind the site. Clobbers nothing; 48 bytes of stack. \parent is where the return
// address into the caller is, \slow_parent the same with 72 bytes more on the stack.
.macro FUNCTION_CALLER name, parent, slow_parent
        .p2align 6
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        mov     %rax, -8(%rsp)
        mov     %rdx, -16(%rsp)
        mov     %rcx, -24(%rsp)
        mov     %rsi, -32(%rsp)
        OPEN    .Lslow\@
        STAMP   .Lslow\@
        mov     (%rsp), %edx
        add     $(NOPHOOK_EVENT_FUNCTION << NOPHOOK_ID_BITS), %edx
        shl     $NOPHOOK_ID_SHIFT, %rdx
        add     %rdx, %rax
        RESERVE 16, .Lpad\@
        mov     \parent, %rdx
        not     %rdx
        mov     %rdx, 8(%rcx)
        mov     %rax, (%rcx)            // last: the event is complete now
.Ldone\@:
        mov     -8(%rsp), %rax
        mov     -16(%rsp), %rdx
        mov     -24(%rsp), %rcx
        mov     -32(%rsp), %rsi
        add     $8, %rsp
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        ret
        .cfi_restore_state
        .cfi_def_cfa_offset 16          // LLVM's assembler adjusts from the offset before it

.Lpad\@:
        PAD     16
.Lslow\@:
        sub     $32, %rsp
        .cfi_adjust_cfa_offset 32
        .irp    register, %rdi, %r8, %r9, %r10, %r11
        push    \register
        .cfi_adjust_cfa_offset 8
        .endr
        mov     $NOPHOOK_EVENT_FUNCTION, %edi
        mov     72(%rsp), %esi          // id
        shl     $NOPHOOK_ID_SHIFT, %rsi
        xor     %edx, %edx
        mov     \slow_parent, %rcx
        call    nophook_event_slow
        .irp    register, %r11, %r10, %r9, %r8, %rdi
        pop     \register
        .cfi_adjust_cfa_offset -8
        .endr
        add     $32, %rsp
        .cfi_adjust_cfa_offset -32
        jmp     .Ldone\@
        .cfi_endproc
        .size   \name, . - \name
.endm

        FUNCTION_CALLER nophook_function_caller, 16(%rsp), 88(%rsp)
// The variant for a site behind the prologue, where gcc's -pg has its call: the frame pointer is
// set.
        FUNCTION_CALLER nophook_function_frame_caller, 8(%rbp), 8(%rbp)
// The variant for a site behind `push %r10`, with which gcc begins nested functions
// (poke/site_classes.h).
        FUNCTION_CALLER nophook_function_pushed_caller, 24(%rsp), 96(%rsp)

// A site is on its way from a call to a jump, or back. Its thunk has called us, so the return
// address leads to the thunk's data (Arch::write_between). Behind it lies the function's own return
// address or, if the site was still a call, that into its body. So this code knows which of the two
// the site was for this thread, however late the thread is. It continues in the matching thunk, as
// if the site had led there.
        .p2align 6
        .globl  nophook_between
        .hidden nophook_between
        .type   nophook_between, @function
nophook_between:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        push    %rax
        .cfi_adjust_cfa_offset 8
        push    %rcx
        .cfi_adjust_cfa_offset 8
        mov     16(%rsp), %rcx
        movslq  (%rcx), %rax
        add     %rcx, %rax              // the body
        cmp     %rax, 24(%rsp)
        movsbq  5(%rcx), %rax           // steps to the jump's thunk
        jne     1f
        movsbq  4(%rcx), %rax           // to the call's
1:      shl     $24, %rax
        lea     -6(%rcx,%rax), %rax
        mov     %rax, 16(%rsp)
        pop     %rcx
        .cfi_adjust_cfa_offset -8
        pop     %rax
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   nophook_between, . - nophook_between

        .section .note.GNU-stack,"",@progbits
