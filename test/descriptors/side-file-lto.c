// descriptors=file and =off, chosen when compiling, hold in the LTO link, which has no options.
// REQUIRES: lld
// RUN: %describe_cc -O1 -flto -fplugin-arg-nophook-descriptors=file %s -Wl,--load-pass-plugin=%plugin -o %t.file
// RUN: %readelf -S %t.file | FileCheck %s --check-prefix=FILE
// RUN: %describe_cc -O1 -flto=thin -fplugin-arg-nophook-descriptors=off %s -Wl,--load-pass-plugin=%plugin -o %t.off
// RUN: %nophook list %t.off | FileCheck %s --check-prefix=OFF
// FILE: .debug_nophook_args PROGBITS
// OFF: entry only: no descriptor
int main(int argc, char **argv) { return argc > 100 && *argv[0]; }
