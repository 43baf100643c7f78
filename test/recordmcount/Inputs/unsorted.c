// Two functions whose table is descending. The program's status is 1 if it still is.
#include <stdint.h>
extern uint64_t __start_mcount_loc[] __attribute__((visibility("hidden")));
extern uint64_t __stop_mcount_loc[] __attribute__((visibility("hidden")));
#if defined(__aarch64__)
#define NOP "nop\n"
#else
#define NOP ".byte 0x0f, 0x1f, 0x44, 0, 0\n"
#endif
__asm__(".text\n"
        ".type one, @function\none:\n.Lone: " NOP "ret\n.size one, .-one\n"
        ".type two, @function\ntwo:\n.Ltwo: " NOP "ret\n.size two, .-two\n"
        ".section __mcount_loc, \"aw\", @progbits\n.balign 8\n.quad .Ltwo, .Lone\n.text\n");
void one(void);
void two(void);
int main(void) {
  one();
  two();
  for (uint64_t *at = __start_mcount_loc + 1; at < __stop_mcount_loc; at++)
    if (at[0] < at[-1])
      return 1;
  return __stop_mcount_loc - __start_mcount_loc == 2 ? 0 : 2;
}
