// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live patching from inside the patched program, with the kernel's names and meanings.
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

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Prepares new data, which is zeroed. Other than 0: there will be no variable. Called under the
// runtime's lock: it must not call functions of this header or of ftrace.h.
typedef int (*klp_shadow_ctor_t)(void *obj, void *shadow_data, void *ctor_data);
// Gives back what the data refers to; likewise.
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

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_LIVEPATCH_H
