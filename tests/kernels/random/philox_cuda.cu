#include <stdexcept>
#include <string>

#include "tests/kernels/random/philox_cuda.hpp"

#pragma nv_diag_suppress 1675  // Pragmas for the host compiler in headers that are shared.
#include <Random123/philox.h>

#include "tests/kernels/random/philox_known_answers.hpp"

namespace attest::random {
namespace {

struct Problem {
  std::uint32_t counter[4], key[2], out[4];
};

__global__ void answer(Problem* problems) {
  Problem& p = problems[threadIdx.x];
  const philox4x32_ctr_t counter = {{p.counter[0], p.counter[1], p.counter[2], p.counter[3]}};
  const philox4x32_ctr_t out = philox4x32_R(10, counter, philox4x32_key_t{{p.key[0], p.key[1]}});
  for (int i = 0; i < 4; ++i) p.out[i] = out.v[i];
}

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

}  // namespace

std::vector<std::array<std::uint32_t, 4>> known_answers_on_cuda() {
  std::vector<Problem> problems;
  for (const PhiloxAnswer& known : philox_known_answers) {
    Problem p{};
    for (std::size_t i = 0; i < 4; ++i) p.counter[i] = known.counter[i];
    for (std::size_t i = 0; i < 2; ++i) p.key[i] = known.key[i];
    problems.push_back(p);
  }
  Problem* on_device = nullptr;
  const std::size_t bytes = problems.size() * sizeof(Problem);
  check(cudaMalloc(&on_device, bytes), "no device memory");
  const cudaError_t sent = cudaMemcpy(on_device, problems.data(), bytes, cudaMemcpyHostToDevice);
  answer<<<1, static_cast<unsigned>(problems.size())>>>(on_device);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t received = cudaMemcpy(problems.data(), on_device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  check(sent, "the counters were not sent");
  check(launched, "the kernel was not started");
  check(received, "the kernel failed");
  std::vector<std::array<std::uint32_t, 4>> answers;
  for (const Problem& p : problems) answers.push_back({p.out[0], p.out[1], p.out[2], p.out[3]});
  return answers;
}

}  // namespace attest::random
