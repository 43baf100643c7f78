// With every warning an error, compiling and linking stay clean: both linkers, every kind of file, LTO.
// REQUIRES: lld, gnu-ld
// DEFINE: %{cc} = %clang -Weverything -Werror -Wno-unsafe-buffer-usage -Wno-declaration-after-statement -O2 -g %instrument %s
// DEFINE: %{link} = %tables -Wl,--fatal-warnings -Wl,--warn-common
// RUN: %{cc} -fuse-ld=lld %{link} -o %t && %t
// RUN: %{cc} -fuse-ld=bfd %{link} -Wl,--warn-textrel -Wl,-z,noexecstack -o %t && %t
// RUN: %{cc} -fuse-ld=lld %{link} -Wl,--gc-sections -Wl,--icf=all -Wl,-z,pack-relative-relocs -ffunction-sections -o %t && %t
// RUN: %{cc} -fuse-ld=bfd %{link} -Wl,--gc-sections -ffunction-sections -o %t && %t
// RUN: %{cc} -fuse-ld=lld %{link} -fPIC -shared -Wl,-z,defs -Wl,-z,text -o %t.so
// RUN: %{cc} -fuse-ld=bfd %{link} -fPIC -shared -Wl,-z,defs -Wl,-z,text -o %t.so
// RUN: %{cc} -fuse-ld=lld %{link} -static -o %t && %t
// RUN: %{cc} -fuse-ld=bfd %{link} -static-pie -o %t && %t
// RUN: %{cc} -fuse-ld=lld %{link} -no-pie -fno-pie -fcf-protection=full -Wl,-z,separate-code -o %t && %t
// RUN: %{cc} -fuse-ld=lld %{link} -flto -o %t && %t
// RUN: %{cc} -fuse-ld=lld %{link} -flto=thin -Wl,--load-pass-plugin=%plugin -o %t && %t
extern int shared;
int shared = 0;
static __attribute__((noinline)) int work(int x) { return x * shared; }
int main(void) { return work(shared); }
