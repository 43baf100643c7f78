// A FIFO in the place of a debug file, of a list of functions or of a recorder's invitation is nothing that a traced program waits for.
// RUN: rm -rf %t.d && mkdir -p %t.d/root/.build-id/01 %t.d/follow && chmod 700 %t.d %t.d/follow && mkfifo %t.d/root/.build-id/01/23456789abcdef.debug
// RUN: %traced_cc -O1 -fplugin-arg-nophook-descriptors=file -Wl,--build-id=0x0123456789abcdef %s -o %t %linked && %strip %t
// RUN: env NOPHOOK_DEBUG_DIR=%t.d/root NOPHOOK="current_tracer=function_graph buffer_dir=%t.d" timeout 600 %t
// RUN: env NOPHOOK="serve buffer_dir=%t.d" sh -c 'mkfifo %t.d/follow/$(stat -Lc %%i /proc/self/ns/pid)-$$; exec timeout 600 %t'
__attribute__((noinline)) static int work(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}
int main(void) { return work(0); }
