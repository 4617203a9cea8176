// Spectra of attention matrices over real tokens, and what powers leave of them.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/projections.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// Eigenvalues of the attention matrix softmax(X M X^T / sqrt(d)) over tokens X (N x d), by decreasing modulus; the
/// first is 1. For a symmetric M they come from the similar symmetric matrix and are real without rounding.
std::vector<std::complex<double>> attention_eigenvalues(const Eigen::MatrixXd& tokens, const Eigen::MatrixXd& form,
                                                        bool symmetric);

/// Mean over eigenvalues of |lambda|^n, or of |2 lambda - lambda^2|^n ("Transformer Meets Twicing", Section 3.3).
double mean_power(const std::vector<std::complex<double>>& eigenvalues, int n, bool twicing);

/// kappa_n(x) = 1/(n + 1) and kappa_n(2x - x^2) = integral of (1 - s^2)^n over [0, 1] (Definition 1 there, exact).
double eigencapacity(int n, bool twicing);

/// The spectra of A and 2A - A^2 for four kinds of projections.
Measurement measure_spectrum(const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
