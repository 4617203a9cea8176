// The points of a sweep, each named after its content.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulations/sweeping/spec.hpp"

namespace attest::sweeps {

/// One evaluation of the quantity.
struct Point {
  quantities::Arguments arguments;
  std::string id;          ///< its content's address
  std::uint64_t seed = 0;  ///< of its random streams; made of the address, which holds the user's seed
};

/// Address of a point: the name-based UUID (RFC 4122, version 5) of the quantity, its version, every parameter (numbers
/// exactly), and, unless the quantity is deterministic, seed and samples. Equal content has an equal address in every
/// run, on every machine; points that differ practically never share one.
std::string address(const quantities::Quantity& quantity, const quantities::Arguments& arguments, std::uint64_t seed,
                    std::uint64_t samples);

/// All points in their order: axes in the file's order with the last one fastest, and the drawn points fastest of all.
/// Those that coincide are there once. A pure function of `spec`.
/// Errors: std::invalid_argument for values that a parameter does not take.
std::vector<Point> points_of(const Spec& spec);

/// "N = 100, law = gaussian": the swept parameters of a point.
std::string label(const Spec& spec, const Point& point);

}  // namespace attest::sweeps
