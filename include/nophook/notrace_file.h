// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: include this in a source file, and none of its functions has a site.
//
// Written by:  sources that must not be traced whatever flags they are compiled with. The
//              runtime includes it everywhere: a tracer that traces itself never ends.
// Read by:     the compiler plugin.
//
// It is a comment in the file's assembly: no byte of the object, nothing for other compilers
// to complain of, and visible to a pass even where no front end runs (-fpass-plugin=, opt). A
// full LTO link mixes the assembly of all files: there it is not read again, what was decided
// when compiling holds.

#ifndef NOPHOOK_NOTRACE_FILE_H
#define NOPHOOK_NOTRACE_FILE_H

__asm__("# nophook: notrace file");

#endif // NOPHOOK_NOTRACE_FILE_H
