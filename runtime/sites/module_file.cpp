// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes a module's file by its build id or, without one, by the file's identity.

#include "sites/module_file.h"

#include "sites/build_id.h"

#include <errno.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

bool is_mapped(const MappedFile &file) {
  return file.at<char>(0, 1);
}

// Another file of the same name has another number. A file that is written to while it is loaded
// would end the process.
bool is_its_file(const MappedFile &file, const Module *module) {
  if (module->build_id_bytes)
    return has_build_id(file, module);
  return !module->file.inode ||
         (file.device() == module->file.device && file.inode() == module->file.inode);
}

bool is_program(const Module *module) {
  const uint64_t headers = getauxval(AT_PHDR);
  return headers >= module->start && headers < module->end;
}

} // namespace

Status map_module_file(const Module *module, MappedFile *file) {
  file->map(module->path);
  const bool is_there = is_mapped(*file);
  if (is_there && is_its_file(*file, module))
    return {};
  if (is_program(module)) {
    // The kernel keeps the program's file, whichever file has its name now. This is not the first
    // try: qemu-user 7.2 gives the same descriptor each time, which is closed then.
    file->map("/proc/self/exe");
    if (is_mapped(*file) && is_its_file(*file, module))
      return {};
  }
  return failure(ENOENT, is_there ? "the file on disk is not the one that runs: put that one back "
                                    "under its name"
                                  : "the module's file cannot be read");
}

} // namespace nophook
