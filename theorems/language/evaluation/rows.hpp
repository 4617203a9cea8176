// Operations on rows of numbers, forwards and backwards, for doubles and for balls.
#pragma once

#include <span>

#include "kernels/rigor/ball.hpp"
#include "theorems/language/program/instruction.hpp"

namespace attest::language {

/// One number of a row: `Code::sum` up to `Code::log_sum_exp`. Precondition: the row is not empty.
double reduce_row(Code code, std::span<const double> x);
rigor::Ball reduce_row(Code code, std::span<const rigor::Ball> x);

/// d/dx times `dy` for y = reduce_row(code, x), added into `dx`.
void reduce_row_back(Code code, std::span<const double> x, double y, double dy, std::span<double> dx);
void reduce_row_back(Code code, std::span<const rigor::Ball> x, const rigor::Ball& y, const rigor::Ball& dy,
                     std::span<rigor::Ball> dx);

/// A row to a row: `Code::softmax` up to `Code::cumulated`.
void map_row(Code code, std::span<const double> x, std::span<double> y);
void map_row(Code code, std::span<const rigor::Ball> x, std::span<rigor::Ball> y);

/// The Jacobian's transpose times `dy`, added into `dx`.
void map_row_back(Code code, std::span<const double> x, std::span<const double> y, std::span<const double> dy,
                  std::span<double> dx);
void map_row_back(Code code, std::span<const rigor::Ball> x, std::span<const rigor::Ball> y,
                  std::span<const rigor::Ball> dy, std::span<rigor::Ball> dx);

/// (sum |x|^p)^(1/p) for p >= 1, NaN or not finite for p < 1; then the way back.
double norm_p(std::span<const double> x, double p);
rigor::Ball norm_p(std::span<const rigor::Ball> x, const rigor::Ball& p);
void norm_p_back(std::span<const double> x, double p, double y, double dy, std::span<double> dx, double& dp);
void norm_p_back(std::span<const rigor::Ball> x, const rigor::Ball& p, const rigor::Ball& y, const rigor::Ball& dy,
                 std::span<rigor::Ball> dx, rigor::Ball& dp);

}  // namespace attest::language
