// A library function that leaves its frame, returns twice or asks for its caller is jumped to with an entry event: each
// function of the list, whatever type its declaration has.
// RUN: %clang -w -shared -fPIC -DLIBRARY %s -o %t.so && %traced_cc %s %t.so -Wl,-rpath,/ -o %t
// RUN: %nophook list --calls --json %t | %python %S/Inputs/jumped_to.py %include/nophook/library_calls.h %s
#define EACH(X)                                                                                                        \
  X(dlopen) X(dlsym) X(dlvsym) X(dlclose) X(dlmopen) X(dladdr) X(dlinfo) X(dl_iterate_phdr) X(_dl_find_object)        \
  X(__asan_init) X(__hwasan_init) X(__msan_init) X(__tsan_func_entry) X(__ubsan_handle_x) X(__sanitizer_x)            \
  X(__cyg_profile_func_enter) X(mcount) X(_mcount) X(__fentry__) X(backtrace)                                         \
  X(_Unwind_RaiseException) X(_Unwind_Resume) X(_Unwind_Backtrace) X(_Unwind_ForcedUnwind)                            \
  X(__cxa_throw) X(__cxa_rethrow) X(pthread_exit) X(__pthread_unwind_next)                                            \
  X(setjmp) X(_setjmp) X(__setjmp) X(sigsetjmp) X(__sigsetjmp) X(longjmp) X(_longjmp) X(siglongjmp) X(__longjmp_chk)  \
  X(getcontext) X(setcontext) X(swapcontext) X(vfork) X(__vfork) X(clone) X(__clone2)                                 \
  X(execve) X(execl) X(fexecve) X(_exit) X(_Exit) X(__tls_get_addr) X(__libc_start_main)
#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"
#pragma clang diagnostic ignored "-Wbuiltin-requires-header"
#ifdef LIBRARY
#define X(name) void name(void) {}
EACH(X)
#else
#define X(name) void name(void);
EACH(X)
#undef X
#define X(name) if (count == 1000 + __COUNTER__) name();
int main(int count, char **words) {
  (void)words;
  EACH(X)
  return 0;
}
#endif
