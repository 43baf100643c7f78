// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source's attributes reach the pass as function attributes in the IR. Clang emits them
// for attributes of its own, and no other pass uses them. They change no code, and
// they survive templates, inlining and LTO. An `annotate` attribute would be read more easily,
// but its table of addresses keeps every annotated function alive and unspecialized.

#ifndef NOPHOOK_LLVM_PASS_MARKS_H
#define NOPHOOK_LLVM_PASS_MARKS_H

namespace nophook {

// The mark "never": xray_never_instrument in the source. Without -fxray-instrument it does nothing
// else.
inline constexpr char kNeverKey[] = "function-instrument";
inline constexpr char kNeverValue[] = "xray-never";

// The mark "always": one of the comma-separated strings of [[omp::assume("…")]].
inline constexpr char kAlwaysKey[] = "llvm.assume";
inline constexpr char kAlwaysValue[] = "ext_nophook_trace";

// The mark "never" for a whole file: a comment in its assembly, from <nophook/notrace_file.h>.
inline constexpr char kFileMark[] = "# nophook: notrace file";

// The mark of a function that an option has left out. The pass writes it for later runs of itself
// that know no options: in an LTO link, or by another flag that loads the plugin.
inline constexpr char kSkipKey[] = "nophook";
inline constexpr char kSkipValue[] = "skip";

// The place of the function's descriptor, if it is not in memory: written before the link, for the
// LTO link.
inline constexpr char kDescriptorsKey[] = "nophook-descriptors";

// Name of the metadata of a module that has been compiled for LTO, where LLVM itself does not show
// that.
inline constexpr char kCompiledMark[] = "nophook.compiled";

// The same of a module from which a live patch's code has been extracted.
inline constexpr char kExtractedMark[] = "nophook.extracted";

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_MARKS_H
