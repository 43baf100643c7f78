// An object as Kotlin/Native's compiler makes them, once its language is changed.
struct account {
  int left;
};

__attribute__((noinline)) int take(struct account *from, int sum) __asm__("kfun:bank.Account#take(kotlin.Int){}kotlin.Int");
int take(struct account *from, int sum) {
  return from->left -= sum;
}

int main(void) {
  struct account account = {52};
  __asm__ volatile("" : : "r"(&account) : "memory");
  return take(&account, 10) - 42;
}
