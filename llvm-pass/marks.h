// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source's attributes reach the pass as function attributes in the IR. Clang emits them
// for attributes of its own, and no other pass uses them. They change no code, and
// they survive templates, inlining and LTO. An `annotate` attribute would be read more easily,
// but its table of addresses keeps every annotated function alive and unspecialized.

#ifndef NOPHOOK_LLVM_PASS_MARKS_H
#define NOPHOOK_LLVM_PASS_MARKS_H

namespace nophook {

// Never: xray_never_instrument in the source. Without -fxray-instrument it does nothing else.
inline constexpr char kNeverKey[] = "function-instrument";
inline constexpr char kNeverValue[] = "xray-never";

// Always: one of the comma-separated strings of [[omp::assume("…")]].
inline constexpr char kAlwaysKey[] = "llvm.assume";
inline constexpr char kAlwaysValue[] = "ext_nophook_trace";

// Never, for a whole file: a comment in its assembly, from <nophook/notrace_file.h>.
inline constexpr char kFileMark[] = "# nophook: notrace file";

// Left out by an option. The pass writes it for later runs of itself that know no options: in
// an LTO link, or by another flag that loads the plugin.
inline constexpr char kSkipKey[] = "nophook";
inline constexpr char kSkipValue[] = "skip";

// Where its descriptor goes, if not into memory: written before the link, for the LTO link.
inline constexpr char kDescriptorsKey[] = "nophook-descriptors";

// Named metadata of a module that has been compiled for LTO, where LLVM itself does not show that.
inline constexpr char kCompiledMark[] = "nophook.compiled";

// The same of a module from which a live patch's code has been extracted.
inline constexpr char kExtractedMark[] = "nophook.extracted";

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_MARKS_H
