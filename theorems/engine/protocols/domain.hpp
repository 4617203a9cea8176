// The domain of a search in words, made from what is searched.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "theorems/engine/inputs.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::engine {

/// Points of the box by which its inputs are described: both ends, the middle and drawn ones, the same every time.
std::vector<std::vector<double>> probe_points(std::span<const double> lower, std::span<const double> upper);

/// "alpha in [0, 1]; X (12 numbers) in [-2, 2]; N = 16; gamma (derived) from 0 to 0.93": the inputs that the points of
/// a box stand for. What is a coordinate of the box has its exact range; what `decode` derives has the range seen at
/// `probe_points`. `structured` points are mentioned when there are any.
std::string domain_of_box(std::span<const double> lower, std::span<const double> upper, const Decode& decode,
                          std::size_t structured);

/// "alpha = 0.5, X = 3 numbers from -1 to 2": inputs as they are.
std::string inputs_in_words(const Inputs& inputs);

/// The names and sizes of the inputs that the box stands for, and the largest whole number among those of its scalars
/// that are whole everywhere: what a stored point may ask for.
struct Shape {
  struct Entry {
    std::string name;
    std::size_t least_count = 0, most_count = 0;
    bool whole = true;  ///< a scalar that was a whole number at every probe
    double least = 0, most = 0;
  };
  std::vector<Entry> entries;
};
Shape shape_of_box(std::span<const double> lower, std::span<const double> upper, const Decode& decode);

/// Throws std::invalid_argument, in one sentence, when `inputs` do not have the shape: another name, another number of
/// values, or a whole number (a size) beyond `most_times_larger` times what the search itself uses.
void require_shape(const Inputs& inputs, const Shape& shape);

}  // namespace attest::engine
