// Each of these mistakes is answered by a sentence that says what to do, or does what was meant.
// RUN: %traced_cxx %s -o %t && %nophook record -o %t.data -- %t && rm -rf %t.folder && mkdir %t.folder && printf '!<arch>\n' > %t.a
// RUN: %python %inputs/mistakes.py %nophook %t %t.data %t.folder %t.a
namespace app {
__attribute__((noinline)) int handle_one(int n) { asm volatile("" : "+r"(n)); return n; }
} // namespace app
int main() {
  int result = app::handle_one(0);
  asm volatile("" : "+r"(result)); // it is no tail call, which has no return of its own
  return result;
}
