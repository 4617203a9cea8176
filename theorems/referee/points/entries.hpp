// The raw numbers of one variable: a single one, a structured array within its set, one in relation to another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/random/stream.hpp"
#include "theorems/language/program.hpp"
#include "theorems/referee/points/structures.hpp"

namespace attest::referee {

/// Scales near 1 in two draws of five, otherwise log-uniform from 1e-6 to 1e4; one in twenty far beyond.
double draw_scale(random::Stream& stream);

/// A single number within its bounds at that scale.
double draw_number(double lower, double upper, double scale, random::Stream& stream);

/// The shape of the structure that an array is made of: of a symmetric matrix, whose raw numbers are its upper
/// triangle, the whole matrix.
struct StructureShape {
  std::size_t rows = 0, cols = 0;
};
StructureShape shape_of(const language::RawInput& input);

/// The raw numbers of an array of that shape, row by row.
std::vector<double> raw_of(const language::RawInput& input, std::vector<double> entries);

/// Raw numbers brought within bounds. Weights that are `plain` stay as they are where none is negative.
void place_within(const language::RawInput& input, double scale, bool plain, random::Stream& stream,
                  std::vector<double>& entries);

/// Numbers of a finite set: at random, or one for what is positive in a structure and another for the rest.
void draw_whole(const language::RawInput& input, Structure structure, bool first_round, random::Stream& stream,
                std::span<double> own);

/// The variable placed in relation to an earlier one of the same shape.
void relate(std::span<const double> other, double scale, random::Stream& stream, std::span<double> own);
/// Whether it can be.
bool related(const language::RawInput& a, const language::RawInput& b);

}  // namespace attest::referee
