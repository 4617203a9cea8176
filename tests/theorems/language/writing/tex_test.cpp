// Statements as TeX.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/theorems/language/random_statement.hpp"
#include "tests/theorems/language/statement_corpus.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

std::string tex_of(const std::string& text) { return tex(read_expression(text)); }

TEST(TeX, IsTheFieldsNotation) {
  EXPECT_EQ(tex_of("norm(x, p)"), R"(\lVert x \rVert_{p})");
  EXPECT_EQ(tex_of("norm(x)"), R"(\lVert x \rVert_{2})");
  EXPECT_EQ(tex_of("frobenius(A) + opnorm(A)"), R"(\lVert A \rVert_{F} + \lVert A \rVert_{\mathrm{op}})");
  EXPECT_EQ(tex_of("softmax(x)"), R"(\operatorname{softmax}(x))");
  EXPECT_EQ(tex_of("1/2*x"), R"(\frac{1}{2} \, x)");
  EXPECT_EQ(tex_of("(a + b)/(c - 1)"), R"(\frac{a + b}{c - 1})");
  EXPECT_EQ(tex_of("2*3"), R"(2 \cdot 3)");
  EXPECT_EQ(tex_of("1e-30"), R"(10^{-30})");
  EXPECT_EQ(tex_of("-x^2 + (-y)^2"), R"(-x^{2} + (-y)^{2})");
  EXPECT_EQ(tex_of("(x/y)^2"), R"(\left(\frac{x}{y}\right)^{2})");
  EXPECT_EQ(tex_of("A'*x"), R"(A^{\top} \, x)");
  EXPECT_EQ(tex_of("(A')'"), R"({A^{\top}}^{\top})");
  EXPECT_EQ(tex_of("X[i, j] + x[1..k][1]"), R"(X_{i, j} + {x_{1:k}}_{1})");
  EXPECT_EQ(tex_of("lambda*sigma_max + x1"), R"(\lambda \, \sigma_{\mathit{max}} + x_{1})");
  EXPECT_EQ(tex_of("sum(i in 1..n: x[i] + 1)"), R"(\sum_{i = 1}^{n} (x_{i} + 1))");
  EXPECT_EQ(tex_of("max(i in 1..n: x[i])"), R"(\max_{1 \le i \le n} x_{i})");
  EXPECT_EQ(tex_of("[1, 2; 3, 4]"), R"(\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix})");
  EXPECT_EQ(tex_of("dot(x, y) + abs(x) + sqrt(2)"), R"(\langle x, y \rangle + \lvert x \rvert + \sqrt{2})");
  EXPECT_EQ(tex_of("x .* y ./ z"), R"(x \odot y \oslash z)");
}

TEST(TeX, OfAWholeStatement) {
  EXPECT_EQ(
      tex(read_statement(statement_corpus()[0])),
      R"(\forall n \in \{2, \dots, 64\},\; p \in \{1, 2, \infty\},\; x, y \in \mathbb{R}^{n}\colon\; )"
      R"(\lVert \operatorname{softmax}(x) - \operatorname{softmax}(y) \rVert_{p} \le \frac{1}{2} \, \lVert x - y \rVert_{p})");
  EXPECT_EQ(
      tex(read_statement("forall m, n in 1..4, A in R^(m, n), t in (0, 1]: random g ~ normal(0, 2)^n: E[g[1]] <= t")),
      R"(\forall m, n \in \{1, \dots, 4\},\; A \in \mathbb{R}^{m \times n},\; t \in (0, 1]\colon\; )"
      R"(g \sim \mathcal{N}(0, 2^{2})^{n}\colon\; \mathbb{E}[g_{1}] \le t)");
}

TEST(TeX, KaTeXTypesetsEveryStatement) {
  const std::string katex = "/usr/share/javascript/katex/katex.js";
  if (std::system("command -v node >/dev/null 2>&1") != 0 || !std::filesystem::exists(katex))
    GTEST_SKIP() << "node or KaTeX (libjs-katex) is not installed";
  const std::filesystem::path lines = std::filesystem::path(testing::TempDir()) / "attest_tex_test.txt";
  {
    std::ofstream out(lines);
    for (const std::string& text : statement_corpus()) out << tex(read_statement(text)) << "\n";
    for (std::uint64_t seed = 0; seed < 300; ++seed) out << tex(random_statement(seed)) << "\n";
  }
  const std::string script = "const katex = require('" + katex +
                             "'); let faults = 0;"
                             "for (const line of require('fs').readFileSync('" +
                             lines.string() +
                             "', 'utf8').trim().split('\\n')) {"
                             "  try { katex.renderToString(line, {throwOnError: true, strict: 'error'}); }"
                             "  catch (fault) { faults += 1; console.log(line + ': ' + fault.message); } }"
                             "process.exit(faults > 0 ? 1 : 0);";
  EXPECT_EQ(std::system(("node -e \"" + script + "\"").c_str()), 0);
  std::filesystem::remove(lines);
}

}  // namespace
}  // namespace attest::language
