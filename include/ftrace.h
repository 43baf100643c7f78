// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public C API of the runtime: control of tracing from inside the traced program.
//
// A program that calls these links the runtime in:
//     -Wl,-u,nophook_register_module -lnophook
//
// Any thread may call these functions at any time after constructors have begun, with two limits.
// Functions that change something take the runtime's one lock (it stands for the kernel's
// regex_lock and ftrace_lock: edits of one ops are serialised), allocate, and change the program's
// text.
//
//   - Do not call them from a signal handler. If the handler has interrupted the runtime in its own
//     thread, they return -EBUSY, or 0 if they return an address.
//   - They may wait until callbacks in other threads have returned. So two callbacks that call them
//     at the same time may wait for each other.
//
// Some functions take no lock; callbacks may call them wherever they run. These are the functions
// that read a `struct ftrace_regs`, ftrace_test_recursion_trylock() and unlock, rcu_is_watching(),
// enable_fprobe() and disable_fprobe().
//
// A fork child has the tracer and the filters of its parent; NOPHOOK=function_fork=0 leaves
// children without a tracer. Unless stated otherwise, functions return 0 or a negative errno, as in
// the kernel. EEXIST comes from the control tree alone (tracefs.h).

#ifndef NOPHOOK_FTRACE_H
#define NOPHOOK_FTRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// In the source of an instrumented program, beside `static` or in front of the body:
//
//   notrace      this function has no site. It keeps out gcc's -pg and
//                -finstrument-functions as well, and clang's XRay.
//   alwaystrace  this function has a site, whatever lists and limits the plugin was given.
//                The compiler warns if it cannot have one (naked functions, ifunc resolvers).
//                It is empty for other compilers and without -fplugin=, and costs nothing there.
//
// Both apply to functions, methods, templates and lambdas. They are short and lower-case as
// in the kernel. If the names collide with others, define NOPHOOK_NO_SHORT_NAMES before the include
// and use the long names, which mean the same.
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

// ---- Callbacks: struct ftrace_ops -------------------------------------------------------------
//
// A callback runs at the entry of each function that its ops selects. It may run in any thread,
// in a signal handler, inside malloc, in several threads at once. It must not take a lock that the
// program may hold, and must not leave by longjmp or an exception.
//
// Source of names and semantics: Documentation/trace/ftrace-uses.rst and include/linux/ftrace.h.

struct ftrace_hash; // a set of functions
struct ftrace_regs; // the arguments and registers of the traced function; below
struct nophook_ops; // the runtime's half of an ops
struct pt_regs;     // <asm/ptrace.h>

struct ftrace_ops;

// `ip`: the function's site. `parent_ip`: the address in the caller that the function returns to.
// `op`: the ops of this callback. `fregs` is never NULL and valid until the callback returns.
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
                              struct ftrace_regs *fregs);

// ops->flags. "caller": the caller sets it before registering. "core": the runtime's, read only.
enum {
  FTRACE_OPS_FL_ENABLED = 1 << 0, // core: registered
  // core: its memory can go away: it does not lie in the data of the program, nor of a library that
  // was loaded with it. Registering sets the flag; the runtime treats both kinds alike.
  FTRACE_OPS_FL_DYNAMIC = 1 << 1,
  FTRACE_OPS_FL_SAVE_REGS = 1 << 2, // caller: ftrace_get_regs() returns every general register
  FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED = 1 << 3, // caller: the same, where the CPU allows it
  FTRACE_OPS_FL_RECURSION_SAFE = 1 << 4,         // caller: the callback handles its own recursion
  FTRACE_OPS_FL_STUB = 1 << 5,                   // caller: counted at its sites, never called
  FTRACE_OPS_FL_INITIALIZED = 1 << 6,            // core: it has been used once
  FTRACE_OPS_FL_DELETED = 1 << 7,                // core: ftrace_free_filter() has been called
  FTRACE_OPS_FL_ADDING = 1 << 8,                 // core: is being registered
  FTRACE_OPS_FL_REMOVING = 1 << 9,     // core: is being unregistered; callbacks may still run
  FTRACE_OPS_FL_MODIFYING = 1 << 10,   // core: its filters are being changed
  FTRACE_OPS_FL_ALLOC_TRAMP = 1 << 11, // core: its callback is called without the list where it is
                                       // the only one
  FTRACE_OPS_FL_IPMODIFY = 1 << 12,    // caller: may change where the function continues
  FTRACE_OPS_FL_PID = 1 << 13,         // caller: only in threads of ftrace_set_pids()
  FTRACE_OPS_FL_RCU = 1 << 14,         // caller: only where rcu_is_watching()
  FTRACE_OPS_FL_TRACE_ARRAY = 1 << 15, // caller: `private` is a tracing instance; no effect here
  FTRACE_OPS_FL_PERMANENT = 1 << 16,   // caller: while registered, ftrace_set_enabled(0) is refused
  FTRACE_OPS_FL_DIRECT = 1 << 17,      // core: register_ftrace_direct()
  FTRACE_OPS_FL_CONTROL = 1 << 18,     // caller: skipped while *disabled is not 0
  FTRACE_OPS_FL_RECURSION = 1 << 19,   // caller: stop recursion, which is the default here
  // Nophook's own. caller: the callback and all functions that it calls use general registers only.
  // For other callbacks the vector registers and the x87 state are saved, which costs more than the
  // call.
  FTRACE_OPS_FL_GENERAL_REGS = 1 << 20,
  // Nophook's own. caller: the callback needs more stack than the program may have left. It runs on
  // 64 KiB of the runtime's own, together with the functions that it calls. All signals but SIGTRAP
  // are blocked during that time. It costs two system calls.
  FTRACE_OPS_FL_OWN_STACK = 1 << 21,
};

// Zero all of it, set `func` and the other members that are marked "caller". It must stay in place
// while it is registered, and, if it has filters, until ftrace_free_filter(). When an instrumented
// library is unloaded, each ops that lies in it, or whose `func` does, is unregistered before the
// library's text goes.
struct ftrace_ops {
  ftrace_func_t func;           // caller
  struct ftrace_ops *next;      // core: the registered ops, newest first
  unsigned long flags;          // FTRACE_OPS_FL_*
  const volatile int *disabled; // caller: see FTRACE_OPS_FL_CONTROL
#ifdef __cplusplus
  void *private_data; // caller: C's `private`
#else
  void *private; // caller: any data for the callback
#endif
  struct ftrace_hash *filter_hash;  // core: the functions chosen; NULL: all
  struct ftrace_hash *notrace_hash; // core: the functions left out; NULL: none
  struct nophook_ops *state;        // core
  unsigned long missed;             // core: calls that the callback did not see: recursion, depth
};

// Calls of the callback begin during this call.
//
// -EINVAL  no `func`; IPMODIFY without a filter or with notrace
// -EBUSY   it is registered already; another ops with IPMODIFY has one of its functions; PERMANENT
//          while tracing is disabled; a site needs int3 and a debugger is attached
// -ENOMEM, -EPERM, -ENOSYS  the kernel refuses memory, writable text, core syncs
// -EIO     a site could be neither changed nor restored: everything has been turned off (the kill
//          switch, docs/design/text_poke.md)
// -ENODEV  the kill switch was tripped before
int register_ftrace_function(struct ftrace_ops *ops);

// When it returns, the callback does not run and never will. The exception is the calling thread,
// if it is inside the callback. It does not wait for traced functions to return. It waits for
// callbacks in other threads: two callbacks that unregister at the same time wait for each other.
//
// -ENOENT  not registered
// -EBUSY, -ENOSYS  a debugger or core syncs, see above: the ops stays registered. But if ENABLED is
//          cleared, the callback is no longer called, and only the wait for running callbacks was
//          refused: its memory must stay until another call of this function returns 0
int unregister_ftrace_function(struct ftrace_ops *ops);

// Chooses functions: those that match the filter (all, if it is empty) and do not match notrace.
// `buf`: `len` bytes of patterns, separated by white space. `reset` other than 0 replaces the old
// set in one step; 0 adds to it. (ops, NULL, 0, 1) empties it. Both may be called before or after
// registering.
//
//      pattern      glob over names: * ? [a-z] \; C++ names linked or demangled, with or
//                   without parameters and a template's return type; or a row of
//                   available_filter_functions, from 1
//      !pattern     removes functions
//      pattern:mod:MODULE   only functions of modules whose file name MODULE (a glob, !glob)
//      matches
//
// Patterns apply to libraries that are loaded later as well.
//
// -EINVAL  no function matches (and no `:mod:` may match later): nothing has changed
// -ENOMEM  nothing has changed
int ftrace_set_filter(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset);

// The same for one function, by any address in it up to its site, or for `count` of them. `remove`
// other than 0 removes them. -EINVAL: an address belongs to no function; nothing has changed.
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, const unsigned long *ips, unsigned int count,
                          int remove, int reset);

// Frees the memory of an ops' filters. Call it only when the ops is not registered.
void ftrace_free_filter(struct ftrace_ops *ops);

// ---- Direct calls
// --------------------------------------------------------------------------------
//
// The functions of `ops` call `address` itself. The code there must be made for that: the site
// calls it with the function's arguments in place. It keeps every register that may hold an
// argument, and returns to the site. Other callbacks of a function run before it. A function can
// have one direct call.

// -EINVAL  the ops has no filter, or `address` is 0
// -EBUSY   it is registered already; another direct call, or an ops with IPMODIFY, has a function
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long address);
// `free_filters` other than 0 also calls ftrace_free_filter(). Frames of the direct call may still
// be open when it returns. -EINVAL: not registered with this address.
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long address, int free_filters);
// Calls that begin from now on go to `address`. -EINVAL: not registered, or 0.
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long address);

// ---- Redirection
// ---------------------------------------------------------------------------------
//
// The site of the function at `old_function` becomes a jump to `new_function`. There is no
// callback, and hardly a cost. Threads that are in the old function finish there. From then on the
// old function is not traced. An ops (or a tracer) that selects it by either name gets the new
// function, which stays traceable if it is instrumented.
//
// Both addresses must belong to functions of the same type; the caller is responsible for that.
//
// -EINVAL  the old function has no site at its entry; the new one is the same, or redirected
// -EBUSY   it is redirected already, or is the target of a redirection; an ops with IPMODIFY or a
//          direct call has it
// -ENOMEM, -EPERM, -ENOSYS  as for register_ftrace_function()
//
// Source: the last slides of "Ftrace Kernel Hooks", 2014.
int register_ftrace_redirect(unsigned long old_function, unsigned long new_function);
// The old function's calls reach it again. -ENOENT: it is not redirected.
int unregister_ftrace_redirect(unsigned long old_function);

// ---- fprobe: entry and exit
// ----------------------------------------------------------------------
//
// The exit is seen because the runtime calls the function; no return address is changed. So stacks
// unwind, and exceptions, longjmp and fibers drop the frame like any other. Such a call has no
// exit, and its exit handler is not called. Two kinds of functions have no exit either: those that
// must not be called through (`nophook list` shows them), and those that a function under a probe
// tail-calls. If a probe has an exit handler, neither of its handlers runs for such a call, and
// nmissed counts it.
//
// Source: Documentation/trace/fprobe.rst.

struct nophook_probe_slot;

enum { FPROBE_FL_DISABLED = 1 };

// Zero all of it and set the members that are marked "caller".
struct fprobe {
  struct ftrace_ops ops; // core, but for `private` and flags GENERAL_REGS, OWN_STACK: caller
  unsigned long nmissed; // core: calls that the probe missed
  unsigned int flags;    // FPROBE_FL_*
  unsigned int reserved;
  size_t entry_data_size; // caller: bytes passed from entry to exit, at most 4096
  // caller: either may be NULL. `entry_data`: entry_data_size bytes of the call's frame, NULL if
  // there is no exit handler. A result other than 0: no exit handler for this call.
  int (*entry_handler)(struct fprobe *probe, unsigned long entry_ip, unsigned long ret_ip,
                       struct ftrace_regs *regs, void *entry_data);
  // `regs`: the registers at the return; see ftrace_regs_get_return_value().
  void (*exit_handler)(struct fprobe *probe, unsigned long entry_ip, unsigned long ret_ip,
                       struct ftrace_regs *regs, void *entry_data);
  struct nophook_probe_slot *slot; // core
};

// Globs as in ftrace_set_filter(). A NULL filter means all functions, a NULL notfilter none.
// Errors: those of ftrace_set_filter() and register_ftrace_function(); -EINVAL: no handler, or too
// much entry data.
int register_fprobe(struct fprobe *probe, const char *filter, const char *notfilter);
int register_fprobe_ips(struct fprobe *probe, const unsigned long *ips, int count);
int register_fprobe_syms(struct fprobe *probe, const char *const *names, int count);

// When it returns, no handler runs and none will, as with unregister_ftrace_function(). Open calls
// return without a handler. -EINVAL: not registered.
int unregister_fprobe(struct fprobe *probe);

// disable_fprobe() skips the handlers until enable_fprobe() is called; the sites do not change.
void disable_fprobe(struct fprobe *probe);
void enable_fprobe(struct fprobe *probe);

// ---- struct ftrace_regs: in a callback ---------------------------------------------------------

// The integer arguments: 0 to 5 are in registers, those from 6 on in the stack.
unsigned long ftrace_regs_get_argument(struct ftrace_regs *fregs, unsigned int n);
// The stack pointer at the function's entry: it points at the return address.
unsigned long ftrace_regs_get_stack_pointer(struct ftrace_regs *fregs);
// The address where the function will continue: behind the site, unless a callback has changed it.
unsigned long ftrace_regs_get_instruction_pointer(struct ftrace_regs *fregs);
// Needs FTRACE_OPS_FL_IPMODIFY: the function continues at `ip`, with the stack and the registers
// of its entry.
void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip);
// The register that holds an integer result.
unsigned long ftrace_regs_get_return_value(struct ftrace_regs *fregs);
void ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value);
// Needs FTRACE_OPS_FL_IPMODIFY: the function returns at once with the return value that is set.
void ftrace_override_function_with_return(struct ftrace_regs *fregs);
// All general registers with SAVE_REGS, else NULL. The function sees the callback's changes to
// them, except to the stack pointer.
struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs);

// ---- Recursion, grace periods -------------------------------------------------------------------

// For callbacks with RECURSION_SAFE. Returns a number to give to unlock. It returns -1 if the
// callback already runs in this thread in the same context (a signal handler is a context of its
// own), or if no context is free.
int ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip);
void ftrace_test_recursion_unlock(int bit);

// Whether the runtime can wait for the calling thread. It cannot wait for a vfork child, nor for a
// thread that could not be registered for lack of memory.
int rcu_is_watching(void);

// ---- Lookups
// -------------------------------------------------------------------------------------

// The site of the function that contains `ip`; 0 if there is none.
unsigned long ftrace_location(unsigned long ip);

// One function that can be traced.
struct ftrace_record {
  unsigned long ip;    // the site
  unsigned long index; // row in available_filter_functions, from 1; constant until a module goes
  uint32_t flags;      // bits 0-28 callbacks, 29 enabled, 30 registers wanted, 31 provided
  uint32_t reserved;
  const char *module;     // path of its file
  unsigned long redirect; // the function that its calls are redirected to, or 0
};

// Calls `visit` for each record, ascending by index, until it returns other than 0; returns that
// value. `visit` must not call functions of this header. -ENOMEM: tables cannot be read.
int ftrace_for_each_record(int (*visit)(const struct ftrace_record *record, void *data),
                           void *data);

// Conversions between addresses, names and rows. Names are linked names; functions may share one.
//
// The record of the function that contains `ip`, or, if `ip` is 0, the one in row `index`. -ENOENT:
// there is none.
int ftrace_get_record(unsigned long ip, unsigned long index, struct ftrace_record *record);
// The row of the function `name`, the first one behind row `after` (0: from the beginning); 0:
// none.
unsigned long ftrace_lookup_name(const char *name, unsigned long after);
// Copies the name of the function that contains `ip` into `bytes` bytes at `name`. -ENOENT: it has
// no site, or the module's file has no names; -ERANGE: it does not fit.
int ftrace_lookup_symbol(unsigned long ip, char *name, size_t bytes);

// ---- Switches
// -------------------------------------------------------------------------------------

// 0 turns every site off, and no callback runs until it is 1 again, as with
// /proc/sys/kernel/ftrace_enabled. -EBUSY: an ops with PERMANENT is registered,
// or a live patch is enabled.
int ftrace_set_enabled(int enabled);
int ftrace_get_enabled(void);

// The threads (kernel ids) in which ops with FTRACE_OPS_FL_PID are called; none: all threads.
// -EINVAL: more than 64. -ENOMEM.
int ftrace_set_pids(const int *pids, unsigned int count);

// ---- Tracers
// ---------------------------------------------------------------------------------------

// Makes `name` the current tracer: "nop", "function" or "function_graph". The change is
// complete when the call returns: with "nop", no site is enabled and no new event begins.
//
// -EINVAL  no such tracer
// -ENODEV  there is no buffer for events (the program does not run under `nophook record`)
// -ENOMEM, -EPERM, -ENOSYS, -EFBIG  the kernel refuses memory, writable text, core syncs, or
//          so large a file: the tracer is "nop" then
// -EBUSY   sites need int3 and a debugger is attached: a new tracer is not started, and a running
//          one continues
// Semantics: tracefs `current_tracer`.
int tracing_set_tracer(const char *name);

// The current tracer's name; static text.
const char *tracing_get_tracer(void);

// Chooses the functions to trace: those that match the filter (all, if it is empty) and do not
// match notrace. `buf`: `len` bytes of globs, separated by white space. `reset` other than 0
// replaces the list; 0 adds to it. (NULL, 0, 1) empties it. A running tracer follows at once, in
// one step: at no time are all functions traced in between.
//
// -ENOMEM  the list is unchanged, or partly extended
//
// Source: ftrace_set_global_filter and ftrace_set_global_notrace of the kernel's ftrace.h.
int ftrace_set_global_filter(const unsigned char *buf, int len, int reset);
int ftrace_set_global_notrace(const unsigned char *buf, int len, int reset);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_FTRACE_H
