// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live patching from inside the patched program, with the kernel's names and meanings.
//
// A patch is normally a shared library whose constructor calls klp_enable_patch(). The functions of
// a patch change together: while a transition lasts, each thread runs either all old versions or
// all new ones, and changes over once, when none of the old ones is on its stack.
// docs/design/livepatch.md explains how.
//
// Any thread may call these functions, but no signal handler, no callback of a patch and no
// callback of ftrace.h. They return 0 or a negative errno unless stated otherwise. The reason of an
// error is a line in the log (NOPHOOK=log=stderr).
//
// Source: include/linux/livepatch.h and Documentation/livepatch/ of Linux.
//
// ---- Shadow variables
//
// A patch often needs one more member in a structure that the running program has allocated
// already, and whose size its old code knows. A shadow variable is that member: memory that belongs
// to an address and a number, which the patch chooses.
//
// The callers provide any exclusion that the data itself needs. klp_shadow_get() takes no lock and
// may be called anywhere, signal handlers included. The other functions take the runtime's lock and
// allocate by malloc(). They do nothing and return NULL in a signal handler that has interrupted
// the runtime in its own thread.
//
// The kernel's functions have a parameter `gfp_flags`, which has no meaning here and is left out.
//
// Source: Documentation/livepatch/shadow-vars.rst, include/linux/livepatch.h.

#ifndef NOPHOOK_LIVEPATCH_H
#define NOPHOOK_LIVEPATCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Prepares new data, which is zeroed. Other than 0: there will be no variable. Called under the
// runtime's lock: it must not call functions of this header or of ftrace.h.
typedef int (*klp_shadow_ctor_t)(void *obj, void *shadow_data, void *ctor_data);
// Releases what the data refers to. Called in the same way.
typedef void (*klp_shadow_dtor_t)(void *obj, void *shadow_data);

// The data of <obj, id>, aligned as by malloc(), or NULL.
void *klp_shadow_get(void *obj, unsigned long id);
// Makes the variable <obj, id> of `size` bytes. NULL: it exists (a line in the log says so), `ctor`
// has returned other than 0, or there is no memory. `ctor` may be NULL.
void *klp_shadow_alloc(void *obj, unsigned long id, size_t size, klp_shadow_ctor_t ctor,
                       void *ctor_data);
// The same, but returns the data of a variable that exists. `ctor` runs once for each variable,
// however many threads call this at once.
void *klp_shadow_get_or_alloc(void *obj, unsigned long id, size_t size, klp_shadow_ctor_t ctor,
                              void *ctor_data);
// Ends the variable, if there is one. No thread may use its data any more. `dtor` may be NULL.
void klp_shadow_free(void *obj, unsigned long id, klp_shadow_dtor_t dtor);
// Ends all variables with this number.
void klp_shadow_free_all(unsigned long id, klp_shadow_dtor_t dtor);

// ---- Patches
// -----------------------------------------------------------------------------------------

struct nophook_klp;
struct klp_patch;
struct klp_object;

// One function. A list of them ends with one whose members are all 0.
struct klp_func {
  const char *old_name; // as linked: C++ names are mangled
  void *new_func;       // function of the same type. A symbol in its file shows its end
  // The position of the function among those of this name in the file's symbol table, from 1. 0:
  // the name is unique.
  unsigned long old_sympos;
};

// Called around each change of an object that is loaded; NULL: nothing. They run without a lock, in
// the thread that changes something or in one of the runtime's.
struct klp_callbacks {
  // Other than 0: the patch is refused with it, or the library is not patched.
  int (*pre_patch)(struct klp_object *obj);
  void (*post_patch)(struct klp_object *obj);
  void (*pre_unpatch)(struct klp_object *obj);
  void (*post_unpatch)(struct klp_object *obj); // not if pre_patch() has failed
};

// The functions of one file. A list of them ends with one whose `funcs` is NULL.
struct klp_object {
  // NULL: the program. Else a library, by its file name, with or without ".so" and what follows. It
  // need not be loaded yet.
  const char *name;
  struct klp_func *funcs;
  struct klp_callbacks callbacks;
  // The build id of the file that the patch is made for, in lowercase hexadecimal digits. NULL:
  // any. A program of another build refuses the patch. A library of another build is not patched.
  const char *build_id;
};

// A change that the patch has made to the program's data. A list of them ends with one whose id is
// 0.
struct klp_state {
  unsigned long id;
  unsigned int version;
  void *data;
};

// ---- Names of the old program
//
// A patch uses static variables and functions of the old program under the names that the kernel's
// patches have, .klp.sym.OBJECT.NAME,POSITION:
//
//   extern int counter __asm__(".klp.sym.program.counter,0") __attribute__((weak));
//
// OBJECT is the klp_object's name, `program` for NULL. NAME is the symbol as linked, without a
// version. POSITION chooses among the symbols of this name, in the order of the file's symbol
// table, from 1; 0: there is one. klp_enable_patch() gives these symbols their addresses before it
// calls callbacks; a library's get theirs when it is loaded. Until then they are NULL. The patch is
// compiled with -fPIC. The assembler of gcc takes no comma in a name: let `objcopy --redefine-sym`
// put it there. Source: Documentation/livepatch/module-elf-format.rst.

// A patch must stay at its address as long as it is enabled. The runtime holds a reference to the
// library that it lies in, so dlclose() does not unmap the library. The control tree does
// (`nophook patch unload`), and looks first whether a thread is in it.
struct klp_patch {
  struct klp_object *objs;
  struct klp_state *states; // or NULL
  // Replaces all other patches: a function that only they have patched becomes the original again.
  bool replace;
  struct nophook_klp *core; // the runtime's; 0
};

// Begins to patch, and returns at once: klp_patch_status() shows when all threads have changed
// over. If the patch is being disabled, turns round instead.
// -EINVAL  a list is missing; a function has no name, no new function, no site at its entry, or
//          shares its name; two objects or functions are the same; the patch is enabled; a
//          cumulative patch is not compatible with a state of the ones that it replaces; the file
//          has another build id; a .klp.sym symbol is of no object, of an ifunc, or thread-local
//          on one side only
// -ENOENT  a function, a .klp.sym name or the end of a new function is not in the symbol table;
//          several symbols have the name; the file on disk is not the one that runs; no sites
// -EBUSY   another transition is under way; ftrace.h says where one of the functions continues;
//          ftrace_set_enabled(0) is in force, which the kernel also refuses; the caller is a signal
//          handler that has interrupted the runtime
// -ENOMEM, -EPERM, -ENOSYS  as for register_ftrace_function()
// others   pre_patch() has returned them
int klp_enable_patch(struct klp_patch *patch);

// Begins to take the patch back, or turns round if it is being enabled. It may be enabled again
// when that has ended. In the kernel: 0 to `enabled`.
// -EINVAL  it is not enabled, or being disabled already
// -EBUSY   another transition is under way; a newer patch is enabled
int klp_disable_patch(struct klp_patch *patch);

// Ends the patch's transition at once, whatever threads run: one may then run old and new versions
// at the same time. In the kernel: 1 to `force`. -EINVAL: it is in no transition.
int klp_force_patch(struct klp_patch *patch);

enum {
  KLP_ENABLED = 1,    // it is enabled, or being enabled
  KLP_TRANSITION = 2, // threads are changing over
};
// A combination of these bits, or a negative errno: -EBUSY in a signal handler.
int klp_patch_status(const struct klp_patch *patch);

// The threads that have not changed over: stores at most `most` numbers, and returns how many.
int klp_pending_threads(int *tids, int most);

// ---- Fibers
//
// Stacks between which the program switches itself: fibers, coroutines with stacks, ucontext. A
// fiber that is registered has a side of its own in a transition, as a thread has. While it waits,
// it changes over if nothing that is left is on its stack, above the place where it waits. So it
// goes on in the versions that it has left off in. A fiber that is not registered is searched only
// while a thread runs it.
//
// The library of fibers calls these functions, as it does for the sanitizers. Each switch of a
// registered fiber must be announced, also a switch by longjmp(), by an exception, or by the end of
// its function. A program that may run without the runtime declares the functions weak.

struct klp_fiber;

// Registers the stack of a fiber that has not begun. NULL: no memory. Any thread and any signal
// handler may call it.
struct klp_fiber *klp_fiber_create(void *stack, size_t bytes);
// Call it before the stack is given back, or another fiber begins on it. The fiber must not run.
void klp_fiber_destroy(struct klp_fiber *fiber);

// Call it directly before each switch, on the stack that is left. `to` is the fiber that is
// entered; NULL: the stack that the calling thread began with. The functions that the caller calls
// between this and the switch must not be patched; the caller itself may be. Takes no lock once the
// thread has called it before.
void klp_fiber_start_switch(struct klp_fiber *to);
// Call it directly behind each switch, on the stack that is entered. It is also the first call that
// a fiber makes when it begins. Until then, neither stack changes over. A signal handler must not
// switch if it has interrupted these two calls, or comes between them.
void klp_fiber_finish_switch(void);

// The registered fibers that have not changed over, each after a look at it: stores at most `most`
// of them, and returns how many it has stored. -EBUSY: the caller is a signal handler that has
// interrupted the runtime. klp_pending_threads() does not count them.
int klp_pending_fibers(struct klp_fiber **fibers, int most);

// ---- States

// The state with this number: the patch's own; and the newest of the patches that were enabled
// before the one that is in a transition now. NULL: there is none.
struct klp_state *klp_get_state(struct klp_patch *patch, unsigned long id);
struct klp_state *klp_get_prev_state(unsigned long id);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_LIVEPATCH_H
