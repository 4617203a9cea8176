// Takes the place of CUDA's header of this name where device code is compiled for the processor.
#pragma once
#include "tests/kernels/attention/cuda/emulated_cuda/emulation.hpp"
