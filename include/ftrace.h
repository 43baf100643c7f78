// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public C API of the runtime: control of tracing from inside the traced program.
//
// A program that calls these links the runtime in:
//     -Wl,-u,nophook_register_module -lnophook
//
// All functions may be called by any thread at any time after constructors have begun; they
// take one lock, allocate, and change the program's text, so they must not be called from a
// signal handler. A fork child has the tracer and the filters of its parent. Results are 0 or
// a negative errno, as in the kernel.

#ifndef NOPHOOK_FTRACE_H
#define NOPHOOK_FTRACE_H

#ifdef __cplusplus
extern "C" {
#endif

// In the source of an instrumented program, beside `static` or in front of the body:
//
//   notrace      this function has no site. It keeps out gcc's -pg and
//                -finstrument-functions as well, and clang's XRay.
//   alwaystrace  this function has a site, whatever lists and limits the plugin was given.
//                A warning tells if it cannot have one (naked functions, ifunc resolvers).
//                Empty for other compilers and without -fplugin=: it costs nothing there.
//
// Both apply to functions, methods, templates and lambdas. They are short and lower-case as
// in the kernel; where that hurts, define NOPHOOK_NO_SHORT_NAMES before the include and use
// the long names, which are the same.
//
// Source: notrace of the kernel's linux/compiler_types.h; the opposite is ours, as the
// kernel has no limits to override.
#if defined(__clang__)
#define NOPHOOK_NOTRACE __attribute__((no_instrument_function, xray_never_instrument))
#elif defined(__GNUC__)
#define NOPHOOK_NOTRACE __attribute__((no_instrument_function))
#else
#define NOPHOOK_NOTRACE
#endif

#define NOPHOOK_ALWAYS_TRACE
#ifdef __has_attribute
#if __has_attribute(nophook_always_trace)
#undef NOPHOOK_ALWAYS_TRACE
#define NOPHOOK_ALWAYS_TRACE __attribute__((nophook_always_trace))
#endif
#endif

#ifndef NOPHOOK_NO_SHORT_NAMES
#ifndef notrace
#define notrace NOPHOOK_NOTRACE
#endif
#ifndef alwaystrace
#define alwaystrace NOPHOOK_ALWAYS_TRACE
#endif
#endif

// Makes `name` the current tracer: "nop", "function" or "function_graph". The change is
// complete when the call returns: with "nop", no site is enabled and no new event begins.
//
// -EINVAL  no such tracer
// -ENODEV  there is nowhere to write events to (the program does not run under
//          `nophook record`)
// -ENOMEM, -EPERM, -ENOSYS, -EFBIG  the kernel refuses memory, writable text, core syncs, or
//          so large a file: the tracer is "nop" then
// -EBUSY   sites need int3 and a debugger is attached: a new tracer is not started, one that
//          runs goes on
//
// Semantics: tracefs `current_tracer`.
int tracing_set_tracer(const char *name);

// The current tracer's name; static text.
const char *tracing_get_tracer(void);

// Which functions are traced: those that match the filter (all, if it is empty) and do not
// match notrace. `buf`: `len` bytes of globs, separated by white space; `reset` other than 0
// replaces the list, else it is extended. (NULL, 0, 1) empties it. A running tracer follows
// at once, in one step: at no time are all functions traced in between.
//
// -ENOMEM  the list is as it was before, or partly extended
//
// Source: ftrace_set_global_filter and ftrace_set_global_notrace of the kernel's ftrace.h.
int ftrace_set_global_filter(const unsigned char *buf, int len, int reset);
int ftrace_set_global_notrace(const unsigned char *buf, int len, int reset);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_FTRACE_H
