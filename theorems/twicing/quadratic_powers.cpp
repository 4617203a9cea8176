// Twicing, Section 3.2, Figure 3: powers of 2 x - x^2 against those of x.
#include <cmath>
#include <string>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/twicing/illustrated.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

/// 2 x - x^2.
Ball twiced(const Ball& x) { return x * (Ball(2) - x); }

/// (2 x - x^2)^n <= (factor x)^n: the same order at 0.
Check same_order_at_zero(double factor) {
  return scalar_inequality(
      {{"x", "n"}, {0, 1}, {1, 13}}, Relation::less_equal,
      [=](const std::vector<double>& p) {
        return Sides{std::pow(p[0] * (2 - p[0]), p[1]), std::pow(factor * p[0], p[1])};
      },
      [=](const BallVector& p) {
        const auto n = static_cast<std::int64_t>(p[1].mid());
        return BallSides{rigor::pow(twiced(p[0]), n), rigor::pow(Ball(factor) * p[0], n)};
      });
}

/// n >= 6: (2 x - x^2)^n <= bound for x <= 0.1.
Check discards_small(double bound) {
  return scalar_inequality(
      {{"x", "n"}, {0, 6}, {0.1, 13}}, Relation::less_equal,
      [=](const std::vector<double>& p) {
        return Sides{std::pow(p[0] * (2 - p[0]), p[1]), bound};
      },
      [=](const BallVector& p) {
        return BallSides{rigor::pow(twiced(p[0]), static_cast<std::int64_t>(p[1].mid())), Ball(bound)};
      });
}

/// n = 6..12: (2 x - x^2)^n >= x^n + gain for x in [0.8, 0.95].
Check keeps_large(double gain) {
  return scalar_inequality(
      {{"x", "n"}, {0.8, 6}, {0.95, 13}}, Relation::greater_equal,
      [=](const std::vector<double>& p) {
        return Sides{std::pow(p[0] * (2 - p[0]), p[1]), std::pow(p[0], p[1]) + gain};
      },
      [=](const BallVector& p) {
        const auto n = static_cast<std::int64_t>(p[1].mid());
        return BallSides{rigor::pow(twiced(p[0]), n), rigor::pow(p[0], n) + Ball(gain)};
      });
}

Check figure_3(double factor, double gain, double small = 1e-4) {
  return composite({{"same order at 0", Kind::universal_inequality, same_order_at_zero(factor)},
                    {"both discard x <= 0.1 for n >= 6", Kind::universal_inequality, discards_small(small)},
                    {"larger near 1", Kind::universal_inequality, keeps_large(gain)}});
}

std::vector<Figure> draw_figure_3() {
  Figure figure{.name = "twicing_figure_3",
                .title = "Dynamics of x^n and (2x - x^2)^n",
                .x_label = "x",
                .y_label = "p(x)^n",
                .series = {}};
  constexpr int places = 101;
  for (const int n : {1, 2, 6, 12}) {
    Series plain{.name = "x^n, n = " + std::to_string(n), .x = {}, .y = {}};
    Series twiced{.name = "(2x - x^2)^n, n = " + std::to_string(n), .x = {}, .y = {}};
    for (int i = 0; i < places; ++i) {
      const double x = static_cast<double>(i) / (places - 1);
      for (Series* series : {&plain, &twiced}) series->x.push_back(x);
      plain.y.push_back(std::pow(x, n));
      twiced.y.push_back(std::pow(x * (2 - x), n));
    }
    figure.series.push_back(plain);
    figure.series.push_back(twiced);
  }
  return {figure};
}

}  // namespace

Claims quadratic_powers() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/fig-3",
        .label = "Sec 3.2 / Fig 3 (similar near 0, larger near 1)",
        .title = "Both discard eigenvalues near 0; twicing keeps those near 1",
        .kind = Kind::figure,
        .tex =
            R"((2x-x^2)^n \le (2x)^n;\quad x \le 0.1, n\ge 6: (2x-x^2)^n \le 10^{-4};\quad x\in[0.8,0.95], n\ge 6: (2x-x^2)^n \ge x^n + \tfrac15)",
        .assumptions = {"n = 1, ..., 12 as in the figure"},
        .expected = Verdict::supported,
        .note =
            "'Similarly' is read as: of the same order x^n with a constant, both negligible; 'significantly larger' "
            "as: by at least 0.2 on [0.8, 0.95]."},
       illustrated(figure_3(2, 0.2), draw_figure_3),
       {{"constant 1.98 instead of 2", 0.01, figure_3(1.98, 0.2)},
        {"larger by 0.26", 0.3, figure_3(2, 0.26)},
        {"discarded to below 4.7e-5", 0.53, figure_3(2, 0.2, 4.7e-5), "both discard x <= 0.1 for n >= 6"}}});
  return claims;
}

}  // namespace attest::twicing
