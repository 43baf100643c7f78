// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relocatable object, as LLVM reads it, with the memory that the object refers to.

#pragma once

#include "foundation/file.h"

#include <llvm/Object/ELFObjectFile.h>
#include <memory>

namespace nophook {

struct OpenedObject {
  MappedFile file;
  std::unique_ptr<llvm::object::ObjectFile> object;

  const llvm::object::ELFObjectFileBase &elf() const {
    return llvm::cast<llvm::object::ELFObjectFileBase>(*object);
  }
};

// Opens an object. Fails if there is no ELF file at `path`, or LLVM does not understand it.
Result<OpenedObject> open_object(const std::string &path);

} // namespace nophook
