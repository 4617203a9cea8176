// The shortcuts for many tokens, crowds and the hub, against the rows that they stand for.
#include "theorems/probdr/crowds.hpp"

#include <gtest/gtest.h>

#include "theorems/probdr/hub.hpp"

namespace attest::probdr {
namespace {

using Rows = Matrix<double>;

constexpr double rounding = 1e-13;  // sums of at most a few thousand products of numbers up to one

/// Rows written out, `copies[i]` times row i of x.
Rows repeated(const Rows& x, const std::vector<double>& copies) {
  Rows all(0, x.cols);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (int k = 0; k < static_cast<int>(copies[i]); ++k) {
      all.entries.insert(all.entries.end(), x.entries.begin() + static_cast<std::ptrdiff_t>(i * x.cols),
                         x.entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * x.cols));
      ++all.rows;
    }
  return all;
}

Crowds<double> three_crowds() {
  Crowds<double> tokens{Rows(3, crowd_dimension), {5, 1, 3}};
  tokens.x.entries = {1, 2, 0, -1, 0.5, 0, 1, 1, -1, 1, 1, 0};
  tokens.x = on_sphere(tokens.x);
  return tokens;
}

TEST(Crowds, a_block_moves_them_as_it_moves_the_rows_they_stand_for) {
  const auto tokens = three_crowds();
  const Rows all = repeated(tokens.x, tokens.copies);
  const Rows moved = data_step(adjacency(all, 2.5), all, 0.3);
  const Rows expected = repeated(data_step(crowd_adjacency(tokens, 2.5), tokens.x, 0.3), tokens.copies);
  ASSERT_EQ(moved.entries.size(), expected.entries.size());
  for (std::size_t k = 0; k < moved.entries.size(); ++k) EXPECT_NEAR(moved.entries[k], expected.entries[k], rounding);
}

TEST(Crowds, data_term_and_energy_are_those_of_the_rows) {
  const auto tokens = three_crowds();
  const Rows all = repeated(tokens.x, tokens.copies);
  const Rows a = crowd_adjacency(tokens, 2.5);
  EXPECT_NEAR(-crowd_product(tokens, tokens.x, diffusion(a, tokens.x)), data_term(adjacency(all, 2.5), all), rounding);
  double energy = 0;
  for (const double w : similarity(all, 2.5).entries) energy += w;
  EXPECT_NEAR(crowd_energy(tokens, 2.5), energy, rounding * energy);
}

/// e_0 and m rows c e_0 + s e_j.
Rows hub_rows(std::size_t m, double c) {
  Rows x(m + 1, m + 1);
  x(0, 0) = 1;
  for (std::size_t j = 1; j <= m; ++j) {
    x(j, 0) = c;
    x(j, j) = std::sqrt(1 - c * c);
  }
  return x;
}

TEST(Hub, the_data_term_along_the_step_is_that_of_its_rows) {
  constexpr double c = 0.75;
  constexpr double kappa = 9;
  const Rows x = hub_rows(7, c);
  const Rows a = adjacency(x, kappa);
  const Hub<double> hub(c, kappa, 7);
  const double before = hub.form(hub.rows, hub.rows);
  for (const double eta : {0.0, 0.1, 0.5}) {
    const double after = before + 2 * eta * hub.slope() + 4 * eta * eta * hub.form(hub.step, hub.step);
    EXPECT_NEAR(after, data_term(a, data_step(a, x, eta)), rounding) << eta;
  }
}

TEST(Masks, under_the_causal_one_the_first_token_stays_and_no_token_sees_a_later_one) {
  const Rows x = on_sphere(three_crowds().x);
  const Rows a = adjacency(x, 1.5, Mask::causal);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i + 1; j < 3; ++j) EXPECT_EQ(a(i, j), 0);
  const Rows y = data_step(a, x, 0.4);
  for (std::size_t k = 0; k < crowd_dimension; ++k) EXPECT_EQ(y(0, k), x(0, k));
}

}  // namespace
}  // namespace attest::probdr
