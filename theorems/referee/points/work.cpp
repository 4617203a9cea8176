#include "theorems/referee/points/work.hpp"

#include <algorithm>

#include "theorems/language/program/instruction.hpp"

namespace attest::referee {

double work_of(const language::Program& program) {
  using language::Code;
  double work = 0;
  for (const language::Instruction& i : program.instructions) {
    if (!i.in_doubles) continue;
    const auto size = static_cast<double>(i.size());
    work += 12 + size;
    const auto n = static_cast<double>(std::max(i.shape.rows, i.shape.cols));
    switch (i.code) {
      case Code::unary:
      case Code::softmax:
      case Code::log_sum_exp:
        work += 8 * size;
        break;
      case Code::sum:
      case Code::norm_1:
      case Code::norm_2:
      case Code::norm_inf:
      case Code::least:
      case Code::largest:
        work += static_cast<double>(i.length) * size;
        break;
      case Code::matmul:
        work += 2 * size * static_cast<double>(program.shape_of(i.args[0]).cols);
        break;
      case Code::inverse:
      case Code::determinant:
      case Code::log_determinant:
      case Code::orthogonal: {
        const auto m = static_cast<double>(program.shape_of(i.args[0]).rows);
        work += 200 + 2 * m * m * m;
        break;
      }
      case Code::symmetric_eigenvalues:
      case Code::singular_values:
      case Code::operator_norm: {
        const language::Shape s = program.shape_of(i.args[0]);
        const auto m = static_cast<double>(std::max(s.rows, s.cols));
        work += 1000 + 20 * m * m * m;
        break;
      }
      case Code::attention:
        work += 5000 + 100 * size * n;
        break;
      default:
        break;
    }
  }
  return work;
}

double ball_work_of(const language::Program& program) {
  using language::Code;
  double work = 100 * work_of(program);
  for (const language::Instruction& i : program.instructions) {
    if (!i.in_balls) continue;
    if (i.code == Code::symmetric_eigenvalues || i.code == Code::singular_values || i.code == Code::operator_norm) {
      const language::Shape s = program.shape_of(i.args[0]);
      const auto n = static_cast<double>(std::min(s.rows, s.cols));
      work += 5e4 * n * n * n;
    } else if (i.code == Code::attention && i.attention && i.attention->has_formula) {
      work += 100 * static_cast<double>(i.size());
    }
  }
  return work;
}

}  // namespace attest::referee
