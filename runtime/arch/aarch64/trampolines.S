// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path: from a patched site into a ring and on into the function.
//
// A site jumps to its thunk, which jumps here with its own address in x17. x16 and x17 are free
// at the entry and the exit of a function, because a linker's veneer may change them. (LLVM's
// -enable-ipra keeps values in them over calls, against AAPCS64, and is not supported.) Any other
// general register may hold an argument or a result, so it keeps its value, and vector registers are
// never touched. A call preserves no flags. Memory below sp belongs to signal handlers.
//
// function_graph does not touch the return address. It calls the body:
//
//      caller ...                            <- S
//                 | x29, x30 of the caller   <- S-16, x29    (frame pointer walks find both here)
//                 | mark                     <- S-24
//                 | signature: id and sp     <- S-32, sp at the call
//      body's frame
//
// Calls and returns stay paired, so return prediction and a guarded control stack are right; DWARF
// and frame pointer unwinders see a plain frame, so exceptions, cancellation and backtrace() pass
// through; longjmp and fibers may drop it. A body that signs its return address signs ours.
//
// A body has no landing pad behind its site. It is entered by the direct branch in its thunk, which
// lies in a page that needs none.
//
// The mark is x29 as long as the body runs, so that a fork child finds the calls that are open
// (buffer/open_frames.h).
//
// A tail call finds our own address in x30: then the function has replaced one that we called.
// It gets a TAIL event and no frame, or a loop of tail calls would overflow the stack. Its id goes
// into the upper half of the mark of the call that it has replaced.
//
// A signal handler may interrupt this code anywhere and write events of its own. So we read the
// position, then the clock and the bases, and only then move the position, by a pair of exclusive
// load and store. There are three places for the handler:
//
//      before the position is read           it is over before our event begins
//      between that and the exclusive load   if it has written, the load finds another position: the
//                                            time is too early and the bases may be old, so the slow
//                                            path begins the event again. Nothing has been taken
//      between exclusive load and store      the exception return has cleared the monitor, so the
//                                            store fails, and the load and its comparison are made
//                                            again: as above
//
// Behind the store the slot is ours, and a handler takes the next one. Only this thread and its
// handlers move the position, so nothing here needs to be ordered against other threads but the
// event itself. An event of one word is one store. An event of two has its first word stored
// last, by a release that a reader's acquire pairs with. The stores of two events may be seen in any order:
// a reader that finds the later one first sees a 0 in front of it, as if a handler had written it.
//
// The clock is read without a barrier. Reads of one system register by one thread are in program
// order, so times in a ring do not run backwards. Between threads, loads and stores around it may
// be seen a few nanoseconds earlier or later than the time says.

#include "arch/fast_path.h"
#include "arch/aarch64/body_frame.inc"
#include <nophook/buffer.h>

#define OWN 16
#define SIGNATURE -16
#define MARK -8
// Distance from the frame of a tail call to the frame that its owner was called from.
#define TO_OWNER (16 + OWN)
// Bits that a number of ticks must not have, and those that the distance of a frame from the stack
// base must not have.
#define DT_REST (~((1 << NOPHOOK_DT_BITS) - 1))
#define SP_REST (~(((1 << NOPHOOK_SP_BITS) - 1) << NOPHOOK_SP_UNIT_SHIFT))
#define SP_LEFT (NOPHOOK_SP_SHIFT - NOPHOOK_SP_UNIT_SHIFT)

        .section .text.nophook_trampolines,"ax",@progbits

// x16 = the writer, x0 = its position. To \slow if the word that it watches has changed, if the
// sub-buffer is full, or if there is none (a thread's first event). Clobbers x1 and \spare.
.macro OPEN slow, spare
        LOAD_TLS x16, x1, nophook_writer
        ldr     x0, [x16, WRITER_WATCH]
        ldr     w1, [x1, x0]
        ldr     w\spare, [x16, WRITER_WATCHED]
        ldr     x0, [x16]               // WRITER_POS
        cmp     w1, w\spare
        ldr     x1, [x16, WRITER_LIMIT]
        b.ne    \slow
        cmp     x0, x1
        b.hs    \slow
.endm

// x1 = ticks since the time base. Clobbers \spare.
.macro STAMP slow, spare
        mrs     x1, cntvct_el0
        ldr     x\spare, [x16, WRITER_TIME_BASE]
        sub     x1, x1, x\spare
        tst     x1, DT_REST
        b.ne    \slow
.endm

// Takes \bytes at x0; to \slow if a handler has come in between. Clobbers \seen and \status.
.macro RESERVE bytes, slow, seen, status
.Lagain\@:
        ldxr    \seen, [x16]            // WRITER_POS
        cmp     \seen, x0
        b.ne    \slow
        add     \seen, x0, \bytes
        stxr    \status, \seen, [x16]
        cbnz    \status, .Lagain\@
.endm

// Writes the event of an entry; the thunk in x17, the frame in x29. Leaves the signature in the
// frame. Clobbers x0 to x3, x16 and x30.
.macro GRAPH_EVENT kind, slow
        OPEN    \slow, 2
        ldr     x1, [x16, WRITER_SP_BASE]
        ldr     w2, [x17, THUNK_ID]
        sub     x1, x1, x29
        tst     x1, SP_REST
        b.ne    \slow
        lsl     x2, x2, NOPHOOK_ID_SHIFT
        orr     x2, x2, x1, lsl #SP_LEFT
        STAMP   \slow, 3
        str     x2, [x29, SIGNATURE]
        orr     x1, x1, x2
        orr     x1, x1, \kind << NOPHOOK_KIND_SHIFT
        RESERVE 8, \slow, x2, w3
        str     x1, [x0]
.endm

// The slow path of an entry, then to \back. A lost entry goes to \lost, which enters the body
// without a frame.
.macro GRAPH_ENTRY_SLOW kind, back, lost
        FRAME_PUSH_OTHERS
        mov     w0, \kind
        ldr     w1, [x17, THUNK_ID]
        lsl     x1, x1, NOPHOOK_ID_SHIFT
        mov     x2, x29
        mov     x3, 0
        bl      nophook_event_slow
        str     x0, [x29, SIGNATURE]
        FRAME_POP_OTHERS
        .ifnb   \lost
        ldr     x16, [x29, SIGNATURE]
        tst     x16, SIGNATURE_LOST
        b.ne    \lost
        .endif
        b       \back
.endm

// function_graph, a function without arguments on the stack.
// Clobbers x16, x17; 32 bytes of stack until the body returns.
        .p2align 6
        .globl  nophook_graph_caller
        .hidden nophook_graph_caller
        .type   nophook_graph_caller, @function
nophook_graph_caller:
        FRAME_ENTER OWN
        FRAME_TEST_TAIL graph_tail, nophook_graph_return, nophook_exit_return
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY, graph_entry_slow
graph_entered:
        FRAME_RESTORE
graph_call:
        str     x29, [x29, MARK]
        FRAME_CALL_BODY nophook_graph_return
        str     xzr, [x29, MARK]
        FRAME_SAVE OWN
        OPEN    graph_exit_slow, 17
        STAMP   graph_exit_slow, 17
        ldr     x17, [x29, SIGNATURE]
        orr     x1, x1, NOPHOOK_EVENT_EXIT << NOPHOOK_KIND_SHIFT
        orr     x1, x1, x17
        RESERVE 8, graph_exit_slow, x17, w30
        str     x1, [x0]
graph_left:
        FRAME_LEAVE OWN

graph_tail:
        GRAPH_EVENT NOPHOOK_EVENT_TAIL, graph_tail_slow
graph_tail_written:
        ldr     x0, [x29]               // x29 of our caller, which is the owner's if nothing has changed it
        ldr     w2, [x17, THUNK_ID]
        add     x1, x29, TO_OWNER
        cmp     x0, x1
        b.ne    graph_tail_jump
        ldr     w1, [x0, MARK]
        cmp     w1, w0
        b.ne    graph_tail_jump
        orr     w2, w2, 1 << GRAPH_MARK_TAIL_BIT
        str     w2, [x0, MARK+4]
graph_tail_jump:
        FRAME_JUMP_BODY OWN

graph_entry_slow:
        GRAPH_ENTRY_SLOW NOPHOOK_EVENT_ENTRY, graph_entered, graph_tail_jump
graph_tail_slow:
        GRAPH_ENTRY_SLOW NOPHOOK_EVENT_TAIL, graph_tail_written
// An exit has the signature of its entry. Its frame goes where other events have a parent.
graph_exit_slow:
        stp     x2, x3, [sp, 16]
        FRAME_PUSH_OTHERS
        mov     w0, NOPHOOK_EVENT_EXIT
        ldr     x1, [x29, SIGNATURE]
        mov     x2, 0
        mov     x3, x29
        bl      nophook_event_slow
        FRAME_POP_OTHERS
        ldp     x2, x3, [sp, 16]
        b       graph_left
        .cfi_endproc
        .size   nophook_graph_caller, . - nophook_graph_caller

// function_graph, a function with arguments on the stack.
        .p2align 4
        .globl  nophook_graph_copy_caller
        .hidden nophook_graph_copy_caller
        .type   nophook_graph_copy_caller, @function
nophook_graph_copy_caller:
        FRAME_ENTER OWN
        FRAME_TEST_TAIL copy_tail, nophook_graph_return, nophook_exit_return
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY, copy_entry_slow
copy_entered:
        FRAME_COPY_ARGUMENTS OWN
        b       graph_call              // one call for all frames: FRAME_TEST_TAIL

copy_tail:
        GRAPH_EVENT NOPHOOK_EVENT_TAIL, copy_tail_slow
copy_tail_jump:
        FRAME_JUMP_BODY OWN

copy_entry_slow:
        GRAPH_ENTRY_SLOW NOPHOOK_EVENT_ENTRY, copy_entered, copy_tail_jump
copy_tail_slow:
        GRAPH_ENTRY_SLOW NOPHOOK_EVENT_TAIL, copy_tail_jump
        .cfi_endproc
        .size   nophook_graph_copy_caller, . - nophook_graph_copy_caller

// function_graph, a function that must not be called through: its entry is recorded and it
// goes on as if nothing had been there. Clobbers x16, x17.
        .p2align 4
        .globl  nophook_graph_entry_caller
        .hidden nophook_graph_entry_caller
        .type   nophook_graph_entry_caller, @function
nophook_graph_entry_caller:
        FRAME_ENTER OWN
        GRAPH_EVENT NOPHOOK_EVENT_ENTRY_ONLY, only_slow
only_jump:
        FRAME_JUMP_BODY OWN
only_slow:
        GRAPH_ENTRY_SLOW NOPHOOK_EVENT_ENTRY_ONLY, only_jump
        .cfi_endproc
        .size   nophook_graph_entry_caller, . - nophook_graph_entry_caller

// function: x30 is the return address into the caller, if the site is at the function's entry.
//
//      S       <- sp when entered
//      S-32    x0, x1, x2, x3
//
// Continues behind the site. Clobbers x16, x17; 32 bytes of stack. With \has_frame the site is
// behind the prologue, where gcc's -pg has its call: x29 is the function's frame. There x30 is
// free, as the call that has stood there has changed it, and the address in the frame may be
// signed.
.macro FUNCTION_CALLER name, has_frame
        .p2align 6
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        hint    36
        .if \has_frame
        ldr     x30, [x29, 8]
        hint    7                       // xpaclri: x30 without a signature
        .endif
        stp     x0, x1, [sp, -32]!
        .cfi_def_cfa_offset 32
        stp     x2, x3, [sp, 16]
        OPEN    .Lslow\@, 2
        STAMP   .Lslow\@, 3
        ldr     w2, [x17, THUNK_ID]
        mov     x3, NOPHOOK_EVENT_FUNCTION << NOPHOOK_KIND_SHIFT
        orr     x1, x1, x2, lsl #NOPHOOK_ID_SHIFT
        orr     x1, x1, x3
        RESERVE 16, .Lslow\@, x2, w3
        mvn     x2, x30
        str     x2, [x0, 8]
        stlr    x1, [x0]                // last: the event is complete now
.Ldone\@:
        ldp     x2, x3, [sp, 16]
        ldp     x0, x1, [sp], 32
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        add     x16, x17, THUNK_BODY
        br      x16
        .cfi_restore_state

.Lslow\@:
        stp     x29, x30, [sp, -16]!
        .cfi_def_cfa_offset 48
        .cfi_offset x29, -48
        .cfi_offset x30, -40
        mov     x29, sp
        .cfi_def_cfa x29, 48
        FRAME_PUSH_OTHERS
        mov     w0, NOPHOOK_EVENT_FUNCTION
        ldr     w1, [x17, THUNK_ID]
        lsl     x1, x1, NOPHOOK_ID_SHIFT
        mov     x2, 0
        mov     x3, x30
        bl      nophook_event_slow
        FRAME_POP_OTHERS
        ldp     x29, x30, [sp], 16
        .cfi_def_cfa sp, 32
        .cfi_restore x29
        .cfi_restore x30
        b       .Ldone\@
        .cfi_endproc
        .size   \name, . - \name
.endm

        FUNCTION_CALLER nophook_function_caller, 0
        FUNCTION_CALLER nophook_function_frame_caller, 1
// No function of AArch64 pushes in front of its site: never used.
        .globl  nophook_function_pushed_caller
        .hidden nophook_function_pushed_caller
        .set    nophook_function_pushed_caller, nophook_function_caller

// The way of a site that is between a call and a jump: never used, as all sites jump.
        .p2align 4
        .globl  nophook_between
        .hidden nophook_between
        .type   nophook_between, @function
nophook_between:
        .cfi_startproc
        brk     0
        .cfi_endproc
        .size   nophook_between, . - nophook_between

#include "arch/aarch64/asm_notes.inc"
