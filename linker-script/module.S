// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module object: one goes into every executable and shared library that has sites. It gives their
// places to two readers:
//
//   a reader of the file    the note: found through a program header, so also in a stripped
//                           file, and before the program has run a single instruction
//   the runtime             the constructor: registers the module when it is loaded, and the
//                           destructor takes it back at dlclose
//
// The references to the runtime are weak. Without it they are null and the constructor is
// four instructions; a weak reference does not pull the runtime in (an archive's member
// stays out, --as-needed drops the library), so a program that links the runtime says `-u`.
//
// The distances in the note are PC-relative and between parts of the same file: no relocation at
// start-up, the same in a PIE, a static file, a library. The bounds are weak too: linked without
// the script, the note has 0, or a distance of 0, and a reader ignores it.
//
// gold and mold read no script of our kind. Like other linkers they make bounds for each section
// whose name is an identifier of C, and module_by_name.S takes these. An empty section of each
// name, with the flags of the others, is there so that its bounds are. Such a file has no static
// calls: mold takes no distance to a weak symbol that nothing defines. Its note is writable, and so
// in a segment of its own: mold puts all others into one, with the alignment of .note.gnu.property,
// with which no reader finds notes that are aligned to 4 bytes.

// The included .inc files are those of the CPU, in machine/.

#include "nophook/site.h"

#ifdef NOPHOOK_BY_NAME
#define START(table) __start___##table
#define STOP(table) __stop___##table
#define STATIC_CALLS 0
#define NOTE_FLAGS "aw"
    .section .text.nophook_module, "ax", %progbits
    .section __mcount_loc, "awo", %progbits, .text.nophook_module
    .balign 8
    .section __mcount_rel, "awo", %progbits, .text.nophook_module
    .balign 8
    .section __ftrace_args, "awo", %progbits, .text.nophook_module
    .balign 8
    .section __ftrace_proto, "a", %progbits
    .balign 4
#else // __start_mcount_loc, __stop_mcount_loc, as the kernel names them
#define START(table) __start_##table
#define STOP(table) __stop_##table
#define STATIC_CALLS nophook_static_calls - .
#define NOTE_FLAGS "a"
#endif

// The linker script puts its sections behind .data and .rodata; a link with --gc-sections may have
// thrown these away. The flag "R" (SHF_GNU_RETAIN) keeps this anchor.
    .section .data.nophook_anchor, "awR", %progbits
    .balign 8
.Llife: // struct nophook_life
    .quad 0
.Lcalled_instead:
    .quad 0
    .section .rodata.nophook_anchor, "aR", %progbits
    .byte 0

    .weak START(mcount_loc)
    .weak STOP(mcount_loc)
    .weak START(mcount_rel)
    .weak STOP(mcount_rel)
    .weak START(ftrace_args)
    .weak STOP(ftrace_args)
    .weak START(ftrace_proto)
    .weak STOP(ftrace_proto)
    .hidden START(mcount_loc)
    .hidden STOP(mcount_loc)
    .hidden START(mcount_rel)
    .hidden STOP(mcount_rel)
    .hidden START(ftrace_args)
    .hidden STOP(ftrace_args)
    .hidden START(ftrace_proto)
    .hidden STOP(ftrace_proto)
#ifndef NOPHOOK_BY_NAME
    .weak nophook_static_calls
    .hidden nophook_static_calls
#endif

    .section .note.nophook, NOTE_FLAGS, %note
    .balign 4
    .long .Lname_end - .Lname
    .long .Ldesc_end - .Ldesc
    .long NOPHOOK_NOTE_TYPE
.Lname:
    .asciz NOPHOOK_NOTE_NAME
.Lname_end:
    .balign 4
.Ldesc: // struct nophook_note
    .quad START(mcount_loc) - .
    .quad STOP(mcount_loc) - .
    .quad START(ftrace_args) - .
    .quad STOP(ftrace_args) - .
    .quad START(ftrace_proto) - .
    .quad STOP(ftrace_proto) - .
    .quad STATIC_CALLS
    .quad .Llife - .
    .quad START(mcount_rel) - .
    .quad STOP(mcount_rel) - .
.Ldesc_end:
    .balign 4

    .weak nophook_register_module
    .weak nophook_unregister_module

// Both call the runtime with the note's descriptor, if it is there. It is reached by a jump: no
// frame, so a backtrace from the runtime shows the loader directly. The destructor first reports
// that the module is unloaded, and finds a runtime that came later than the module, too: struct
// nophook_life.
//   entered: by call from the loader or libc, stack aligned as the ABI says
//   in/out:  nothing; clobbers what the CPU's file says
    .section .text.nophook_module, "ax", %progbits
    .type .Lregister, %function
    .type .Lunregister, %function
#include "module_code.inc"

// Priority 102: right behind the runtime's own constructor, and around all others of the module,
// wherever this object stands in the link.
    .section .init_array.102, "aw", %init_array
    .balign 8
    .quad .Lregister

    .section .fini_array.102, "aw", %fini_array
    .balign 8
    .quad .Lunregister

// A file is protected by CET or BTI only if every object in it says that it can be.
    .section .note.gnu.property, "a", %note
    .balign 8
    .long 4, 16, 5 // name bytes, descriptor bytes, NT_GNU_PROPERTY_TYPE_0
    .asciz "GNU"
#include "gnu_property.inc"

    .section .note.GNU-stack, "", %progbits
