#include "theorems/boosting/denoising_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::boosting {

using engine::Inputs;
using rigor::Ball;

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

double norm(std::span<const double> x) { return std::sqrt(dot(x, x)); }

double StepNumbers::residual_gain() const {
  return std::sqrt((1 + 2 * alpha * signal_cosine + alpha * alpha) / (1 + 2 * gamma * noise_cosine + gamma * gamma));
}

bool StepNumbers::hypothesis(double beta) const {
  return alpha <= 1 - edge && std::min(alpha, beta) - gamma >= edge && cosine_at_least(beta);
}

StepNumbers step_numbers(const Inputs& inputs) {
  const auto cosine = [](std::span<const double> x, std::span<const double> y, double norm_x, double norm_y) {
    return norm_y == 0 ? 1.0 : std::clamp(dot(x, y) / (norm_x * norm_y), -1.0, 1.0);
  };
  const double u = norm(inputs["u"]);
  const double u_hat = norm(inputs["u_hat"]);
  const double eta = norm(inputs["eta"]);
  const double eta_hat = norm(inputs["eta_hat"]);
  if (u == 0 || eta == 0) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan, nan, nan};
  }
  return {u_hat / u, eta_hat / eta, cosine(inputs["u"], inputs["u_hat"], u, u_hat),
          cosine(inputs["eta"], inputs["eta_hat"], eta, eta_hat)};
}

StepBalls::StepBalls(const Inputs& inputs)
    : u(rigor::to_balls(inputs["u"])),
      u_hat(rigor::to_balls(inputs["u_hat"])),
      eta(rigor::to_balls(inputs["eta"])),
      eta_hat(rigor::to_balls(inputs["eta_hat"])) {}

bool StepBalls::is_proper() const { return rigor::norm2(u).is_positive() && rigor::norm2(eta).is_positive(); }
Ball StepBalls::alpha() const { return rigor::norm2(u_hat) / rigor::norm2(u); }
Ball StepBalls::gamma() const { return rigor::norm2(eta_hat) / rigor::norm2(eta); }
Ball StepBalls::signal_cosine() const { return rigor::dot(u, u_hat) / (rigor::norm2(u) * rigor::norm2(u_hat)); }
Ball StepBalls::noise_cosine() const { return rigor::dot(eta, eta_hat) / (rigor::norm2(eta) * rigor::norm2(eta_hat)); }
Ball StepBalls::input_snr() const { return rigor::norm2(u) / rigor::norm2(eta); }
Ball StepBalls::output_snr() const { return rigor::norm2(u_hat) / rigor::norm2(eta_hat); }
Ball StepBalls::residual_snr() const {
  return rigor::norm2(rigor::add(u, u_hat)) / rigor::norm2(rigor::add(eta, eta_hat));
}

bool StepBalls::cosine_at_least(const Ball& beta) const {
  return rigor::certainly_less_equal(beta * rigor::norm2(u) * rigor::norm2(u_hat), rigor::dot(u, u_hat));
}

bool StepBalls::hypothesis(const Ball& beta) const {
  return is_proper() && certainly_less_equal(rigor::norm2(u_hat), rigor::norm2(u)) &&
         certainly_less_equal(beta, Ball(1)) && certainly_less(gamma(), alpha()) && certainly_less(gamma(), beta) &&
         cosine_at_least(beta);
}

StepBox step_box(int dimension, Beta beta) {
  const auto d = static_cast<std::size_t>(dimension);
  StepBox box;
  for (const double reach : {2.0, 1.0, 2.0, 1.0}) {  // u, u_hat, eta, eta_hat
    box.lower.insert(box.lower.end(), d, -reach);
    box.upper.insert(box.upper.end(), d, reach);
  }
  box.lower.push_back(0);
  box.upper.push_back(1);
  box.decode = [d, beta](std::span<const double> x) {
    const auto part = [&](std::size_t i) {
      return std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(i * d),
                                 x.begin() + static_cast<std::ptrdiff_t>((i + 1) * d));
    };
    Inputs inputs{{"u", part(0)}, {"u_hat", part(1)}, {"eta", part(2)}, {"eta_hat", part(3)}};
    double b = x[4 * d];
    if (beta == Beta::tight) {
      // Twice the edge below the cosine, so that beta itself is admissible.
      b *= std::max(0.0, step_numbers(inputs).signal_cosine - 2 * StepNumbers::edge);
    }
    inputs.add("beta", {b});
    return inputs;
  };
  // Noise aligned or orthogonal, signal aligned or at half a right angle, for a few sizes; extra coordinates are 0.
  for (const double a : {0.25, 0.5, 1.0}) {
    for (const double g : {0.0, 0.25, 0.5, 0.875}) {
      for (const double turn : {0.0, 1.0}) {
        if (turn > 0 && d == 1) continue;
        std::vector<double> x(4 * d + 1, 0.0);
        x[0] = x[2 * d] = 1;
        x[d] = turn > 0 ? 0.75 * a : a;
        if (turn > 0) x[d + 1] = 0.75 * a;
        x[3 * d] = g;
        x[4 * d] = 1;
        box.corners.push_back(x);
      }
    }
  }
  return box;
}

}  // namespace attest::boosting
