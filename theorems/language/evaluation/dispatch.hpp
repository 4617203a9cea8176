// Which operation a code is: the one place where the codes of a program are listed for those who evaluate it.
#pragma once

#include "theorems/language/program/instruction.hpp"

namespace attest::language {

/// Calls the member function of `pass` that stands for this code, on one instruction's way forward or back: `leaf` for
/// what has no arguments, `reduce_rows` and `map_rows` for the codes by rows, `of_matrix` for inverses, determinants
/// and spectra, and one of the code's own name for each other.
template <typename Pass>
void dispatch(Code code, const Pass& pass) {
  switch (code) {
    case Code::input:
    case Code::constant:
    case Code::pi:
    case Code::euler:
    case Code::expected:
      return pass.leaf();
    case Code::gather:
      return pass.gather();
    case Code::pack:
      return pass.pack();
    case Code::choose:
      return pass.choose();
    case Code::unary:
      return pass.unary();
    case Code::binary:
      return pass.binary();
    case Code::power:
      return pass.power();
    case Code::matmul:
      return pass.matmul();
    case Code::sum:
    case Code::product:
    case Code::least:
    case Code::largest:
    case Code::norm_1:
    case Code::norm_2:
    case Code::norm_inf:
    case Code::log_sum_exp:
      return pass.reduce_rows();
    case Code::norm_p:
      return pass.norm_p();
    case Code::softmax:
    case Code::share:
    case Code::direction:
    case Code::sorted:
    case Code::cumulated:
      return pass.map_rows();
    case Code::inverse:
    case Code::determinant:
    case Code::log_determinant:
    case Code::symmetric_eigenvalues:
    case Code::singular_values:
    case Code::operator_norm:
      return pass.of_matrix();
    case Code::orthogonal:
      return pass.orthogonal();
    case Code::attention:
      return pass.attention();
  }
}

}  // namespace attest::language
