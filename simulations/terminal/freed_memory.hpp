// How the process keeps the memory that arrays come and go in.
#pragma once

namespace attest::terminal {

/// Tells glibc to keep freed memory instead of handing every large block back to the system: a training step, a judged
/// case or a ball evaluation frees and asks for the same blocks, and each page would be faulted in and cleared afresh.
/// Once, before threads begin. Nothing on other C libraries.
void keep_freed_memory();

}  // namespace attest::terminal
