// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// return_rule FILE: for each address on standard input, 1 if the unwind table of an AArch64 file says that
// the return address is in memory behind the instruction there, else 0.

#include "arch/aarch64/return_rule.h"

#include <elf.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string.h>
#include <string>

static std::string file;

// The program headers lie behind the ELF header, as linkers write them.
static const Elf64_Phdr *segment(size_t number) {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(file.data());
  return number < header->e_phnum ? reinterpret_cast<const Elf64_Phdr *>(file.data() + header->e_phoff) + number : nullptr;
}

static long read_at(uint64_t address, void *to, uint64_t bytes) {
  for (size_t i = 0; const Elf64_Phdr *p = segment(i); i++)
    if (p->p_type == PT_LOAD && address >= p->p_vaddr && address + bytes <= p->p_vaddr + p->p_filesz) {
      memcpy(to, file.data() + p->p_offset + (address - p->p_vaddr), bytes);
      return (long)bytes;
    }
  return -14; // EFAULT
}

int main(int, char **arguments) {
  std::ifstream stream(arguments[1], std::ios::binary);
  file.assign(std::istreambuf_iterator<char>(stream), {});
  uint64_t table = 0, address;
  for (size_t i = 0; const Elf64_Phdr *p = segment(i); i++)
    table = p->p_type == PT_GNU_EH_FRAME ? p->p_vaddr : table;
  while (std::cin >> std::hex >> address)
    std::cout << nophook::ReturnRule(read_at).is_stored(table, address + 4) << '\n';
}
