// Twicing, Section 3.2: powers of 2 x - x^2 against those of x (enhancement, boundedness, Figure 3).
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

constexpr double unit_roundoff = 0x1p-53;
/// a x + (1 - a) x^2 (Eq 14).
template <class Number>
Number quadratic(const Number& a, const Number& x) {
  return a * x + (Number(1) - a) * x * x;
}

double one(const std::vector<double>&) { return 1; }

constexpr double largest_power = 65;

/// (2 x - x^2)^n >= factor x^n for x in [0, 1], n = 1..64.
Check enhancement(double factor) {
  return scalar_inequality(
      {{"x", "n"}, {0, 1}, {1, largest_power}}, Relation::greater_equal,
      [=](const std::vector<double>& p) {
        return Sides{std::pow(p[0] * (2 - p[0]), p[1]), factor * std::pow(p[0], p[1])};
      },
      [=](const BallVector& p) {
        const auto n = static_cast<std::int64_t>(p[1].mid());
        return BallSides{rigor::pow(quadratic(Ball(2), p[0]), n), Ball(factor) * rigor::pow(p[0], n)};
      });
}

/// (a x + (1 - a) x^2)^n <= 1, or >= 0, for x in [0, 1], n = 1..64.
Check bounded(double a, bool above) {
  return scalar_inequality(
      {{"x", "n"}, {0, 1}, {1, largest_power}}, above ? Relation::less_equal : Relation::greater_equal,
      [=](const std::vector<double>& p) {
        return Sides{1 + std::pow(p[0] * (a + (1 - a) * p[0]), p[1]), above ? 2.0 : 1.0};
      },
      [=](const BallVector& p) {
        return BallSides{Ball(1) + rigor::pow(quadratic(Ball(a), p[0]), static_cast<std::int64_t>(p[1].mid())),
                         Ball(above ? 2 : 1)};
      });
}

Check zero_one_bounded(double a) {
  return composite({{"at least 0", Kind::universal_inequality, bounded(a, false)},
                    {"at most 1", Kind::universal_inequality, bounded(a, true)}});
}

/// (2 x - x^2)^n <= (factor x)^n: the same order at 0.
Check same_order_at_zero(double factor) {
  return scalar_inequality(
      {{"x", "n"}, {0, 1}, {1, 13}}, Relation::less_equal,
      [=](const std::vector<double>& p) {
        return Sides{std::pow(p[0] * (2 - p[0]), p[1]), std::pow(factor * p[0], p[1])};
      },
      [=](const BallVector& p) {
        const auto n = static_cast<std::int64_t>(p[1].mid());
        return BallSides{rigor::pow(quadratic(Ball(2), p[0]), n), rigor::pow(Ball(factor) * p[0], n)};
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
        return BallSides{rigor::pow(quadratic(Ball(2), p[0]), static_cast<std::int64_t>(p[1].mid())), Ball(bound)};
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
        return BallSides{rigor::pow(quadratic(Ball(2), p[0]), n), rigor::pow(p[0], n) + Ball(gain)};
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

/// (2 x - x^2)^n / x^n = (base - x)^n.
Check ratio_of_powers(double base) {
  return scalar_identity(
      {{"x", "n"}, {0, 1}, {1, 13}},
      [=](const std::vector<double>& p) {
        return Sides{std::pow(p[0] * (2 - p[0]), p[1]), std::pow(base - p[0], p[1]) * std::pow(p[0], p[1])};
      },
      one,
      [=](const BallVector& p) {
        const auto n = static_cast<std::int64_t>(p[1].mid());
        return BallSides{rigor::pow(quadratic(Ball(2), p[0]), n),
                         rigor::pow(Ball(base) - p[0], n) * rigor::pow(p[0], n)};
      },
      // Values at most 1; the base of the power is off by 3u, its n-th power by 3 n u, n <= 12, on either side.
      2 * (3 * 12 + 4) * unit_roundoff);
}

}  // namespace

Claims quadratic_powers() {
  Claims claims;
  claims.push_back({{.id = "twicing/sec-3.2-enhancement",
                     .label = "Sec 3.2 (eigenvalue enhancement)",
                     .title = "2x - x^2 keeps every eigenvalue in [0, 1] at least as large",
                     .kind = Kind::universal_inequality,
                     .tex = R"((2x - x^2)^n \ge x^n,\quad x \in [0,1],\ n \ge 1)",
                     .assumptions = {"x in [0, 1]", "n = 1, ..., 64"},
                     .expected = Verdict::supported,
                     .depends_on = {"twicing/sec-3.2-optimal"}},
                    enhancement(1),
                    {{"0.1 percent more", 0.001, enhancement(1.001)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.2-boundedness",
        .label = "Sec 3.2 (0-1 boundedness on [0,1])",
        .title = "Powers of 2x - x^2 stay in [0, 1] for eigenvalues in [0, 1]",
        .kind = Kind::universal_inequality,
        .tex = R"(0 \le (2x-x^2)^n \le 1,\quad x\in[0,1],\ n\ge 1)",
        .assumptions = {"x in [0, 1]", "n = 1, ..., 64"},
        .expected = Verdict::supported,
        .note = "Attention matrices have eigenvalues outside [0, 1]: see the statements on their stability.",
        .depends_on = {"twicing/sec-3.2-optimal"}},
       zero_one_bounded(2),
       {{"2.02 x - 1.02 x^2", 0.01, zero_one_bounded(2.02), "at most 1"},
        {"-0.01 x + 1.01 x^2", 0.01, zero_one_bounded(-0.01), "at least 0"}}});
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
  claims.push_back(
      {{.id = "twicing/fig-3-ratio",
        .label = "Sec 3.2 / Fig 3 (similar near 0, larger near 1, relative)",
        .title = "Relative to x^n the twiced power is (2 - x)^n times larger, 2^n near 0",
        .kind = Kind::identity,
        .tex = R"((2x - x^2)^n = (2-x)^n x^n)",
        .assumptions = {"x in [0, 1]", "n = 1, ..., 12"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/fig-3",
        .note = "So small eigenvalues are discarded similarly in absolute size only: relative to each other the two "
                "powers differ most where the figure shows them together."},
       ratio_of_powers(2),
       {{"(2.02 - x)^n", 0.01, ratio_of_powers(2.02)}, {"(2 - x + 1e-8)^n", 1e-8, ratio_of_powers(2 + 1e-8)}}});
  return claims;
}

}  // namespace attest::twicing
