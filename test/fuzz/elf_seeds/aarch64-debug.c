// AArch64 with debug info: arguments in each kind of place, and code whose frames are read: by sp, by x29, with a jump table.
struct Doubles { double a[4]; };
struct Large { long a[3]; };
void hook(void *);
long many(long a, long b, long c, long d, long e, long f, long g, long h, char i, __int128 j) { return a + h + i + (long)j; }
double doubles(double a, struct Doubles b, struct Doubles c) { return a + b.a[3] + c.a[3]; }
struct Large large(struct Large by, float f) { by.a[1] += (long)f; hook(&by); return by; }
long any_frame(long n) { hook(__builtin_alloca(n)); return n; }
void *caller(void) { hook(0); return __builtin_return_address(0); }
long variadic(int n, ...) { __builtin_va_list list; __builtin_va_start(list, n); return __builtin_va_arg(list, long); }
int table(int n) {
  switch (n) {
  case 0: hook(&n); return 3;
  case 1: return 17;
  case 2: hook(0); return 99;
  case 3: return table(n + 2);
  case 4: return 55;
  default: hook(&table); return 1;
  }
}
long tail(long a) { return many(a, a, a, a, a, a, a, a, 1, 2); }
