// Section 3.3, "higher order kernels with small bias property": what Newey, Hsieh and Robins (2004) show of twicing
// kernels, that the bias of an average of the estimate is a product of two smoothing errors.
#include <cmath>
#include <vector>

#include "kernels/regression/trigonometric_sum.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/identity.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::Form;
using regression::Kernel;
using regression::TrigonometricSum;
using rigor::Ball;

constexpr int points = 8;  // integrate products of waves up to cos(2t) exactly over a period

const Kernel& kernel_at(const Inputs& in) {
  return *regression::all_kernels()[static_cast<std::size_t>(in.scalar("kernel"))];
}

/// First and second wave with the amplitudes and phases of that name.
TrigonometricSum waves(const Inputs& in, const char* name) {
  const auto c = in[name];
  return TrigonometricSum({{c[0], 1, c[1]}, {c[2], 2, c[3]}});
}

double wave(const Inputs& in, const char* name, double t, double first, double second) {
  const auto c = in[name];
  return first * c[0] * std::cos(t + c[1]) + second * c[2] * std::cos(2 * t + c[3]);
}

/// mean of a (L_h * m - m) = -factor mean of (a - K_h * a)(m - K_h * m) over a period, L the kernel's `form`.
Check product_of_errors(Form form, double factor) {
  IdentityProblem p;
  const std::size_t kernels = regression::all_kernels().size();
  p.lower = {0, 0.1, -1, -3, -1, -3, -1, -3, -1, -3};
  p.upper = {static_cast<double>(kernels) - 1, 3, 1, 3, 1, 3, 1, 3, 1, 3};
  for (std::size_t i = 0; i < kernels; ++i)
    p.corners.push_back({static_cast<double>(i), 1, 1, 0, 0.5, 0, 1, 0.5, -0.5, 0});
  p.decode = [](std::span<const double> x) {
    return Inputs{{"kernel", {std::round(x[0])}},
                  {"bandwidth", {x[1]}},
                  {"weight", {x.begin() + 2, x.begin() + 6}},
                  {"m", {x.begin() + 6, x.end()}}};
  };
  p.rounding_bound = 4 * Kernel::value_error;  // of the characteristic function, through squares below 4
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto& kernel = kernel_at(in);
    const double h = in.scalar("bandwidth");
    const double first = kernel.characteristic(h);
    const double second = kernel.characteristic(2 * h);
    const auto formed = [&](double phi) { return form == Form::plain ? phi : phi * (2 - phi); };
    double left = 0;
    double right = 0;
    for (int i = 0; i < points; ++i) {
      const double t = 2 * M_PI * i / points;
      left += wave(in, "weight", t, 1, 1) * wave(in, "m", t, formed(first) - 1, formed(second) - 1) / points;
      right -= wave(in, "weight", t, 1 - first, 1 - second) * wave(in, "m", t, 1 - first, 1 - second) / points;
    }
    return {{left}, {factor * right}, 4};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto& kernel = kernel_at(in);
    const TrigonometricSum a = waves(in, "weight");
    const TrigonometricSum m = waves(in, "m");
    const Ball h = in.scalar("bandwidth");
    Ball left = 8;  // so that both sides keep a size where the means are 0
    Ball right = 8;
    for (int i = 0; i < points; ++i) {
      const Ball t = 2 * Ball::pi() * i / points;
      const auto error = [&](const TrigonometricSum& g, Form smoother) {
        return g.derivative(t, 0) - g.smoothed(kernel, smoother, t, h);
      };
      left -= a.derivative(t, 0) * error(m, form) / points;
      right -= factor * error(a, Form::plain) * error(m, Form::plain) / points;
    }
    return {{left}, {right}, h.is_positive()};
  };
  p.evaluations = 500;
  return identity(std::move(p));
}

}  // namespace

Claims small_bias_property() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/small-bias-property",
        .label = "Sec 3.3 (small bias property as Newey, Hsieh and Robins define it)",
        .title = "With the twicing kernel the bias of an average is minus the product of two smoothing errors",
        .kind = Kind::identity,
        .tex = R"(\int a\,(\hat K_h*m-m)\,dx=-\int(a-K_h*a)(m-K_h*m)\,dx)",
        .assumptions = {"K is symmetric", "uniform design", "a and m are periodic"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/higher-order-kernel",
        .note = "The property holds at every bandwidth and for rough m, which the order of the kernel alone does "
                "not give. Judged on twelve kernels and two waves."},
       product_of_errors(Form::twiced, 1),
       {{"product one percent larger", 0.01, product_of_errors(Form::twiced, 1.01)},
        {"K itself instead of 2K - K*K", 1, product_of_errors(Form::plain, 1)}}});
  return claims;
}

}  // namespace attest::twicing
