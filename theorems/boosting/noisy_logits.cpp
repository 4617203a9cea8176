#include "theorems/boosting/noisy_logits.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "kernels/softmax/softmax.hpp"

namespace attest::boosting {

using random::Law;
using random::Stream;

std::vector<Law> six_laws() {
  return {Law::gaussian(), Law::rademacher(), Law::uniform(),
          Law::laplace(),  Law::student_t(5), Law::sparse_three_point(0.1)};
}

Noise independent_noise(const Law& law) {
  return {random::name(law), [law](Stream& stream, std::span<double> out) { random::fill(law, stream, out); }};
}

std::vector<Noise> six_noises() {
  std::vector<Noise> noises;
  for (const Law& law : six_laws()) noises.push_back(independent_noise(law));
  return noises;
}

Noise one_coordinate_noise() {
  return {"one coordinate", [](Stream& stream, std::span<double> out) {
            std::fill(out.begin(), out.end(), 0.0);
            const double size = std::sqrt(static_cast<double>(out.size()));
            const std::uint64_t where = stream.integer(out.size());
            out[where] = stream.integer(2) == 0 ? size : -size;
          }};
}

std::vector<double> leading_logits(std::size_t n, std::size_t leading, double gap) {
  std::vector<double> c(n, -gap);
  std::fill(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(leading), 0.0);
  return c;
}

std::vector<double> normal_logits(std::size_t n, double scale) {
  std::vector<double> c(n);
  Stream stream(0, random::stream_key("logits"), n);
  random::fill(Law::gaussian(), stream, c);
  for (double& value : c) value *= scale;
  return c;
}

std::function<double(Stream&)> perturbation(std::vector<double> c, Noise noise, double sigma) {
  const auto softmax = std::make_shared<const softmax::SoftmaxPerturbation>(std::move(c));
  return [softmax, noise = std::move(noise), sigma](Stream& stream) {
    thread_local std::vector<double> eta;
    eta.resize(softmax->logits().size());
    noise.fill(stream, eta);
    for (double& value : eta) value *= sigma;
    return softmax->norm(eta);
  };
}

}  // namespace attest::boosting
