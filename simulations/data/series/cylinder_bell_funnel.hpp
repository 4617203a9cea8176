// Cylinder, bell and funnel: time series that are drawn by a published rule, where no data set is at hand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulations/data/series/time_series.hpp"

namespace attest::data {

/// Series of one value per step, t = 1, ..., 128, in three classes of equal chance (Saito 1994, Local Feature
/// Extraction and Its Applications Using a Library of Bases, section 4.3):
///   cylinder (6 + eta) 1[a <= t <= b] + eps(t), bell the same times (t - a)/(b - a), funnel times (b - t)/(b - a),
/// a uniform on 16..32, b - a uniform on 32..96, eta and eps(t) independent standard normal.
/// Series i is drawn from the stream (seed, "data/cylinder-bell-funnel", i): examples first, ..., first + count - 1,
/// the same whatever is drawn beside them.
SeriesSet generate_cylinder_bell_funnel(std::uint64_t seed, std::uint64_t first, std::size_t count);

}  // namespace attest::data
