#include "theorems/referee/points/structures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace attest::referee {
namespace {

using Array = std::vector<double>;

double sign(random::Stream& stream) { return stream.integer(2) == 0 ? -1.0 : 1.0; }

/// 1, or a short number from a few.
double short_number(random::Stream& stream) {
  constexpr std::array choices = {1.0, 1.0, 0.5, 2.0, 3.0, 0.25, 1.5, 5.0};
  return choices[stream.integer(choices.size())];
}

Array crowd(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const std::size_t kinds = std::min<std::size_t>(rows, 2 + stream.integer(2));
  Array prototypes(kinds * cols);
  const bool whole = stream.integer(2) == 0;
  for (double& entry : prototypes) entry = whole ? static_cast<double>(stream.integer(5)) - 2.0 : stream.normal();
  // Near prototypes are as telling as far ones: pull the others towards the first by a drawn factor.
  const double near = stream.integer(2) == 0 ? 1.0 : std::exp(-7 * stream.uniform());
  for (std::size_t k = cols; k < prototypes.size(); ++k)
    prototypes[k] = prototypes[k % cols] + near * (prototypes[k] - prototypes[k % cols]);
  const std::size_t few = 1 + stream.integer(std::max<std::size_t>(1, rows / 4));
  Array out(rows * cols);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t kind = i + few < rows ? 0 : 1 + (i % std::max<std::size_t>(1, kinds - 1));
    for (std::size_t j = 0; j < cols; ++j) out[i * cols + j] = prototypes[std::min(kind, kinds - 1) * cols + j];
  }
  return out;
}

Array hub(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array out(rows * cols, 0.0);
  if (cols < 2) return crowd(rows, cols, stream);
  // Row 0 is the hub along the first axis; the others lean to their own axes by a drawn angle.
  const double angle = std::exp(std::log(1e-2) * stream.uniform()) * std::numbers::pi / 2;
  out[0] = 1;
  for (std::size_t i = 1; i < rows; ++i) {
    out[i * cols] = std::cos(angle);
    out[i * cols + 1 + (i - 1) % (cols - 1)] = std::sin(angle);
  }
  return out;
}

Array leader(std::size_t rows, std::size_t cols, std::size_t leaders, double lead, random::Stream& stream) {
  Array out(rows * cols, 0.0);
  for (std::size_t k = 0; k < leaders; ++k) {
    const std::size_t row = stream.integer(rows);
    for (std::size_t j = 0; j < cols; ++j) out[row * cols + j] = lead;
  }
  return out;
}

Array rows_on_circle(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array out(rows * cols, 0.0);
  const double spread = std::numbers::pi * std::exp(-4 * stream.uniform());
  const bool clustered = stream.integer(2) == 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double angle = clustered ? (i + 1 < rows ? 0.0 : spread) : 2 * spread * stream.uniform();
    out[i * cols] = std::cos(angle);
    if (cols > 1) out[i * cols + 1] = std::sin(angle);
  }
  return out;
}

template <typename Entry>
Array filled(std::size_t rows, std::size_t cols, const Entry& entry) {
  Array out(rows * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) out[i * cols + j] = entry(i, j);
  return out;
}

Array one_hot(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array out(rows * cols, 0.0);
  out[stream.integer(out.size())] = sign(stream);
  return out;
}

Array one_hot_rows(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array out(rows * cols, 0.0);
  const bool same = stream.integer(2) == 0;
  const std::size_t common = stream.integer(cols);
  for (std::size_t i = 0; i < rows; ++i) out[i * cols + (same ? common : stream.integer(cols))] = 1;
  return out;
}

Array equal_rows(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array row(cols);
  for (double& entry : row) entry = stream.normal();
  return filled(rows, cols, [&](std::size_t, std::size_t j) { return row[j]; });
}

Array leaders(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const double log_n = std::log(static_cast<double>(std::max<std::size_t>(2, rows * cols)));
  constexpr std::array multiples = {0.5, 1.0, 1.5, 2.0, 3.0};
  return leader(rows, cols, 1 + stream.integer(2), multiples[stream.integer(multiples.size())] * log_n, stream);
}

Array two_leaders(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const double below = -3 - 40 * stream.uniform();
  Array out(rows * cols, below);
  out[0] = 0;
  out[out.size() > 1 ? 1 + stream.integer(out.size() - 1) : 0] = 0;
  return out;
}

Array near_ties(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const double centre = sign(stream) * short_number(stream), noise = std::exp(-12 * stream.uniform());
  return filled(rows, cols, [&](std::size_t, std::size_t) { return centre + noise * stream.normal(); });
}

Array alternating_signs(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const bool checkered = stream.integer(2) == 0;
  return filled(rows, cols,
                [&](std::size_t i, std::size_t j) { return (checkered ? i + j : i) % 2 == 0 ? 1.0 : -1.0; });
}

Array ramps(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const double centre = stream.integer(2) == 0 ? 0 : static_cast<double>(rows - 1) / 2;
  const double step = short_number(stream) / std::sqrt(static_cast<double>(rows));
  return filled(rows, cols, [&](std::size_t i, std::size_t) { return step * (static_cast<double>(i) - centre); });
}

Array of_rank_one(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array a(rows), b(cols);
  for (double& entry : a) entry = stream.normal();
  for (double& entry : b) entry = stream.normal();
  return filled(rows, cols, [&](std::size_t i, std::size_t j) { return a[i] * b[j]; });
}

Array lower_triangular(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const bool ones = stream.integer(2) == 0;
  return filled(rows, cols, [&](std::size_t i, std::size_t j) { return j > i ? 0.0 : ones ? 1.0 : stream.normal(); });
}

/// Half a period: on a path of tokens the slowest wave there is. Along the entries of each row it is the same.
Array half_wave(std::size_t rows, std::size_t cols, random::Stream& stream) {
  const bool along_rows = cols == 1 || stream.integer(2) == 0;
  const auto count = static_cast<double>(along_rows ? rows : cols);
  return filled(rows, cols, [&](std::size_t i, std::size_t j) {
    return std::cos(std::numbers::pi * (static_cast<double>(along_rows ? i : j) + 0.5) / count);
  });
}

Array sparse(std::size_t rows, std::size_t cols, random::Stream& stream) {
  Array out(rows * cols, 0.0);
  const std::size_t few = 1 + stream.integer(3);
  for (std::size_t k = 0; k < few; ++k) out[stream.integer(out.size())] = stream.normal();
  return out;
}

}  // namespace

std::string_view name(Structure structure) {
  constexpr std::array<std::string_view, structure_count> names = {
      "zeros",           "all equal",   "one-hot",          "one-hot rows",      "equal rows", "crowds",     "hubs",
      "leaders",         "two leaders", "near ties",        "alternating signs", "two halves", "signs",      "ramps",
      "orthogonal rows", "low rank",    "rows on a circle", "triangular",        "one column", "half waves", "sparse",
      "whole numbers",   "normal",      "uniform",          "heavy tails"};
  return names[static_cast<std::size_t>(structure)];
}

Array structured(Structure structure, std::size_t rows, std::size_t cols, random::Stream& stream) {
  switch (structure) {
    case Structure::zeros:
      return Array(rows * cols, 0.0);
    case Structure::constant:
      return Array(rows * cols, short_number(stream) * sign(stream));
    case Structure::one_hot:
      return one_hot(rows, cols, stream);
    case Structure::one_hot_rows:
      return one_hot_rows(rows, cols, stream);
    case Structure::same_row:
      return equal_rows(rows, cols, stream);
    case Structure::crowd:
      return crowd(rows, cols, stream);
    case Structure::hub:
      return hub(rows, cols, stream);
    case Structure::leader:
      return leaders(rows, cols, stream);
    case Structure::two_leaders:
      return two_leaders(rows, cols, stream);
    case Structure::near_tie:
      return near_ties(rows, cols, stream);
    case Structure::alternating:
      return alternating_signs(rows, cols, stream);
    case Structure::half_and_half:
      return filled(rows, cols, [&](std::size_t i, std::size_t) { return 2 * i < rows ? 1.0 : -1.0; });
    case Structure::signs:
      return filled(rows, cols, [&](std::size_t, std::size_t) { return sign(stream); });
    case Structure::ramp:
      return ramps(rows, cols, stream);
    case Structure::identity:
      return filled(rows, cols,
                    [&](std::size_t i, std::size_t j) { return i % std::max<std::size_t>(1, cols) == j ? 1.0 : 0.0; });
    case Structure::low_rank:
      return of_rank_one(rows, cols, stream);
    case Structure::circle:
      return rows_on_circle(rows, cols, stream);
    case Structure::triangular:
      return lower_triangular(rows, cols, stream);
    case Structure::one_column:
      return filled(rows, cols,
                    [&](std::size_t i, std::size_t j) { return j == 0 && (cols > 1 || i == 0) ? 1.0 : 0.0; });
    case Structure::wave:
      return half_wave(rows, cols, stream);
    case Structure::sparse:
      return sparse(rows, cols, stream);
    case Structure::small_whole:
      return filled(rows, cols, [&](std::size_t, std::size_t) { return static_cast<double>(stream.integer(7)) - 3.0; });
    case Structure::normal:
      return filled(rows, cols, [&](std::size_t, std::size_t) { return stream.normal(); });
    case Structure::uniform:
      return filled(rows, cols, [&](std::size_t, std::size_t) { return stream.uniform(-1, 1); });
    case Structure::heavy_tailed:
      return filled(rows, cols,
                    [&](std::size_t, std::size_t) { return std::tan(std::numbers::pi * (stream.uniform() - 0.5)); });
  }
  return {};
}

}  // namespace attest::referee
