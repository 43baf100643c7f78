// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's own tables of options and file types, and everything about them that differs between
// the LLVM versions we support (19 and 22).
//
// They are linked from clang's static libraries, two objects of them: libclang-cpp.so, which has
// them too, takes longer to load than many files take to compile.

#pragma once

#include <clang/Driver/Types.h>
#include <llvm/Option/ArgList.h>

#if __has_include(<clang/Options/Options.h>)
#include <clang/Options/Options.h>
namespace nophook {
namespace options = clang::options;
using clang::getDriverOptTable;
} // namespace nophook
#else
#include <clang/Driver/Options.h>
namespace nophook {
namespace options = clang::driver::options;
using clang::driver::getDriverOptTable;
} // namespace nophook
#endif

namespace nophook {
namespace types = clang::driver::types;
} // namespace nophook
