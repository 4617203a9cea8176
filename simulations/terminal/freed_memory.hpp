// How the process keeps the memory that tensors come and go in.
#pragma once

namespace attest::training {

/// Tells glibc to keep freed memory instead of handing every large block back to the system: a step frees and asks for
/// the same tens of megabytes, and each page would be faulted in and cleared afresh. Once, before threads begin.
/// Nothing on other C libraries.
void keep_freed_memory();

}  // namespace attest::training
