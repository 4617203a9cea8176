// The end of a program that LibTorch is part of.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace attest::terminal {

/// Ends the process with `code` after writing out what standard streams hold, without the destructors of static
/// objects: those of LibTorch 2.11 with CUDA ended with `free(): invalid pointer` after all was done (seen on an H100,
/// in its deregistration of operators).
[[noreturn]] inline void leave(int code) {
  std::fflush(nullptr);
  std::quick_exit(code);
}

}  // namespace attest::terminal
