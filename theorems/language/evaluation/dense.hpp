// Linear algebra of small dense matrices, row-major, forwards and backwards, for doubles and for balls.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/rigor/ball.hpp"
#include "theorems/language/program/instruction.hpp"

namespace attest::language {

/// c = a b with a m x k, b k x n.
void matrix_product(std::span<const double> a, std::span<const double> b, std::span<double> c, std::int64_t m,
                    std::int64_t n);
void matrix_product(std::span<const rigor::Ball> a, std::span<const rigor::Ball> b, std::span<rigor::Ball> c,
                    std::int64_t m, std::int64_t n);
/// da += dc b', db += a' dc; an empty span is not wanted.
void matrix_product_back(std::span<const double> a, std::span<const double> b, std::span<const double> dc,
                         std::span<double> da, std::span<double> db, std::int64_t m, std::int64_t n);
void matrix_product_back(std::span<const rigor::Ball> a, std::span<const rigor::Ball> b,
                         std::span<const rigor::Ball> dc, std::span<rigor::Ball> da, std::span<rigor::Ball> db,
                         std::int64_t m, std::int64_t n);

/// `Code::inverse` up to `Code::operator_norm` of a rows x cols matrix; `scratch` keeps what the way back needs. NaN,
/// or not finite, where the matrix has no inverse (no positive determinant for its logarithm).
void of_matrix(Code code, std::span<const double> a, const Shape& shape, std::span<double> y,
               std::span<double> scratch);
void of_matrix(Code code, std::span<const rigor::Ball> a, const Shape& shape, std::span<rigor::Ball> y);
void of_matrix_back(Code code, std::span<const double> a, const Shape& shape, std::span<const double> y,
                    std::span<const double> dy, std::span<const double> scratch, std::span<double> da);
/// Of eigenvalues and singular values balls know no derivatives: not finite.
void of_matrix_back(Code code, std::span<const rigor::Ball> a, const Shape& shape, std::span<const rigor::Ball> y,
                    std::span<const rigor::Ball> dy, std::span<rigor::Ball> da);

}  // namespace attest::language
