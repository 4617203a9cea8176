// OpenBLAS's choice of kernels, corrected where it does not know the processor.
#pragma once

namespace attest::training {

/// OpenBLAS picks its kernels by a list of processor models. On a model newer than the library it falls back to those
/// of 2004 (SSE3), three times slower than the processor allows. Where it did, and OPENBLAS_CORETYPE is not set, this
/// sets it to what the processor's instructions allow (SkylakeX for AVX-512, Haswell for AVX2) and starts the program
/// again with the same arguments, because the library reads the variable only when it is loaded. Returns where nothing
/// is to be corrected: another BLAS, another processor, or a choice that fits. To be called first in main.
void use_fitting_blas_kernels(char** argv);

}  // namespace attest::training
