// Kernels on the whole line whose self-convolution is elementary.
#pragma once

#include <limits>

#include "kernels/regression/kernel.hpp"

namespace attest::regression {

/// What the kernels of this file share: support R, and each formula written once for doubles and for balls.
/// `Formula` has members `value_at(u)`, `self_convolution_at(u)` and `characteristic_at(s)` for both number types.
template <class Formula>
class LineKernel : public Kernel {
 public:
  double radius() const override { return std::numeric_limits<double>::infinity(); }
  std::span<const double> knots(Form form) const override;
  double value(double u) const override;
  rigor::Ball value(const rigor::Ball& u) const override;
  double self_convolution(double u) const override;
  rigor::Ball self_convolution(const rigor::Ball& u) const override;
  double characteristic(double s) const override;
  rigor::Ball characteristic(const rigor::Ball& s) const override;
};

/// (phi_s(u - c) + phi_s(u + c))/2 with phi_s the normal density of variance s^2; c = 0 is the Gaussian kernel.
/// K*K = (phi_r(u - 2c) + 2 phi_r(u) + phi_r(u + 2c))/4 with r^2 = 2 s^2.
class NormalMixtureKernel final : public LineKernel<NormalMixtureKernel> {
 public:
  NormalMixtureKernel(std::string_view name, double centre, double variance)
      : name_(name), centre_(centre), variance_(variance) {}

  std::string_view name() const override { return name_; }
  rigor::Ball moment_generating(const rigor::Ball& c) const override;
  template <class T>
  T value_at(const T& u) const;
  template <class T>
  T self_convolution_at(const T& u) const;
  template <class T>
  T characteristic_at(const T& s) const;

 protected:
  rigor::Ball even_moment(int k) const override;

 private:
  std::string_view name_;
  double centre_;
  double variance_;
};

/// e^u/(1 + e^u)^2; K*K = (h cosh h - sinh h)/(2 sinh(h)^3) at h = u/2; characteristic function pi s/sinh(pi s).
class LogisticKernel final : public LineKernel<LogisticKernel> {
 public:
  std::string_view name() const override { return "logistic"; }
  rigor::Ball moment_generating(const rigor::Ball& c) const override;
  template <class T>
  T value_at(const T& u) const;
  double self_convolution_at(double u) const;
  rigor::Ball self_convolution_at(const rigor::Ball& u) const;
  double characteristic_at(double s) const;
  rigor::Ball characteristic_at(const rigor::Ball& s) const;

 protected:
  rigor::Ball even_moment(int k) const override;
};

/// e^-|u|/2; K*K = (1 + |u|) e^-|u|/4; characteristic function 1/(1 + s^2).
class LaplaceKernel final : public LineKernel<LaplaceKernel> {
 public:
  std::string_view name() const override { return "laplace"; }
  rigor::Ball moment_generating(const rigor::Ball& c) const override;
  template <class T>
  T value_at(const T& u) const;
  template <class T>
  T self_convolution_at(const T& u) const;
  template <class T>
  T characteristic_at(const T& s) const;

 protected:
  rigor::Ball even_moment(int k) const override;
};

/// 2/(pi (1 + u^2)^2), t with 3 degrees of freedom scaled to variance 1: mu_4 is infinite.
/// K*K = 4 (20 + u^2)/(pi (4 + u^2)^3); characteristic function (1 + |s|) e^-|s|.
class StudentKernel final : public LineKernel<StudentKernel> {
 public:
  std::string_view name() const override { return "student"; }
  rigor::Ball moment_generating(const rigor::Ball& c) const override;
  template <class T>
  T value_at(const T& u) const;
  template <class T>
  T self_convolution_at(const T& u) const;
  template <class T>
  T characteristic_at(const T& s) const;

 protected:
  rigor::Ball even_moment(int k) const override;
};

/// 1/(pi (1 + u^2)): mu_2 is infinite. K*K = 2/(pi (4 + u^2)); characteristic function e^-|s|.
class CauchyKernel final : public LineKernel<CauchyKernel> {
 public:
  std::string_view name() const override { return "cauchy"; }
  rigor::Ball moment_generating(const rigor::Ball& c) const override;
  template <class T>
  T value_at(const T& u) const;
  template <class T>
  T self_convolution_at(const T& u) const;
  template <class T>
  T characteristic_at(const T& s) const;

 protected:
  rigor::Ball even_moment(int k) const override;
};

}  // namespace attest::regression
