// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: a source file that includes this has no sites.
//
// Written by:  sources that must not be traced whatever flags they are compiled with. The
//              runtime includes it everywhere: a tracer that traces itself never ends.
// Read by:     the compiler plugin.
//
// It is a comment in the file's assembly. So it adds no byte to the object, causes no warning in
// other compilers, and is visible to a pass even if no front end runs (-fpass-plugin=, opt). A
// full LTO link mixes the assembly of all files. There it is not read again, and the decision at
// compile time applies.

#ifndef NOPHOOK_NOTRACE_FILE_H
#define NOPHOOK_NOTRACE_FILE_H

__asm__("# nophook: notrace file");

#endif // NOPHOOK_NOTRACE_FILE_H
