// Section 3 and the captions of Tables 1, 2 and 6, Table 11: who wins on most tasks, who is best, and what is
// significant.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/table_checks.hpp"

namespace attest::primal_dual {
namespace {

using engine::Relation;

constexpr auto figure = engine::Kind::figure;

engine::Claim most_tasks() {
  const auto most = [](std::int64_t lra_sh) {
    return engine::composite({{"UEA, Attention-BN", figure, better_on("Table 1", Column::bn)},
                              {"UEA, Attention-SH", figure, better_on("Table 1", Column::sh)},
                              {"LRA, Attention-BN", figure, better_on("Table 2", Column::bn)},
                              {"LRA, Attention-SH", figure, better_on("Table 2", Column::sh, lra_sh)},
                              {"UEA, averages", figure, better_on_average("Table 1", {Column::bn, Column::sh})},
                              {"LRA, averages", figure, better_on_average("Table 2", {Column::bn, Column::sh})}});
  };
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/sec-3-most-tasks",
      .label = "Sec 3 (\"on most tasks and on average\", UEA and LRA)",
      .title = "Attention-BN and Attention-SH beat softmax on most tasks and on average",
      .kind = engine::Kind::figure,
      .tex =
          R"(\#\{\text{tasks won}\} > n/2,\qquad \bar a_{\mathrm{BN}},\ \bar a_{\mathrm{SH}} > \bar a_{\mathrm{softmax}})",
      .assumptions = {"Tables 1 and 2 as printed, ties not counted as won"},
      .expected = engine::Verdict::certified,
      .note = "8 and 9 of ten UEA tasks, 5 and 4 of the five of the Long Range Arena.",
      .depends_on = {"primal-dual/table-averages"}};
  claim.check = most(0);
  claim.near_misses = {{"Attention-SH on all five of the Long Range Arena", 0.2, most(5)}};
  return claim;
}

// Welch's t is at least t for all variants of Tables 1 and 2 and at least `images` for both accuracies of Table 6.
engine::Check captions(double t, double images) {
  const std::vector<Column> all{Column::bn, Column::sh, Column::bn_sh};
  return engine::composite(
      {{"Table 1", figure, welch("Table 1", all, Relation::greater_equal, t)},
       {"Table 2", figure, welch("Table 2", all, Relation::greater_equal, t)},
       {"Table 6", figure,
        welch("top-1 and top-5 accuracy", {{95, 23, 24}, {39, 15, 13}}, Relation::greater_equal, images)}});
}

engine::Claim significance() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/captions-significantly",
      .label = "Tables 1, 2, 6 (captions: \"significantly outperform\")",
      .title = "The proposed attentions are significantly better on UEA and LRA, the convolution on ImageNet",
      .kind = engine::Kind::figure,
      .tex = R"(t \ge 2.132\quad\text{for all columns of Tables 1 and 2 and both rows of Table 6})",
      .assumptions =
          {"averages over five runs, +- read as a standard deviation; one-sided level of five percent with the "
           "degrees of freedom least favourable to the claim"},
      .expected = engine::Verdict::certified,
      .note =
          "The t are 3.4 to 4.5 in Tables 1 and 2, 6.4 and 4.4 in Table 6. If +- is a standard error they are smaller "
          "by the root of 5, and only the top-1 accuracy of Table 6 remains significant. That beta was chosen "
          "task by task (Tables 12 to 14) the test does not see.",
      .depends_on = {"primal-dual/table-averages"}};
  claim.check = captions(surely_significant, surely_significant);
  claim.near_misses = {{"t at least 3.45 in Tables 1 and 2", 0.01, captions(3.45, surely_significant)},
                       {"t at least 4.4 in Table 6", 0.002, captions(surely_significant, 4.4)}};
  return claim;
}

engine::Claims best() {
  const auto check = [](bool regression, double lra_least) {
    std::vector<engine::Part> parts{{"Table 1", figure, best_on_average("Table 1", Column::bn_sh)},
                                    {"Table 2", figure, best_on_average("Table 2", Column::bn_sh, lra_least)},
                                    {"Table 9", figure, best_on_average("Table 9", Column::bn_sh)}};
    if (regression) parts.push_back({"Table 8", figure, best_on_average("Table 8", Column::bn_sh)});
    return engine::composite(std::move(parts));
  };
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/sec-3-best",
      .label = "Sec 3 (iii) (\"Attention-BN+SH ... best model performance in term of accuracy\")",
      .title = "Attention-BN+SH is the best on average on every benchmark",
      .kind = engine::Kind::figure,
      .tex = R"(\bar a_{\mathrm{BN+SH}}\ \text{best in Tables 1, 2, 8 and 9})",
      .assumptions = {"means of the printed rows; ImageNet left out, whose Table 3 the available text lacks"},
      .expected = engine::Verdict::refuted,
      .note =
          "An aim that Section 3 announces, judged on all benchmarks with numbers. On the regression archive "
          "Attention-BN alone has the smaller error, 38.25 against 38.40; so has Linear "
          "Attention-BN the better accuracy in Table 5. On ImageNet the text itself says 'on par'.",
      .depends_on = {"primal-dual/table-averages"}};
  printed.check = check(true, 0);
  printed.near_misses = {{"on LRA by more than 0.0585 points", 0.009, check(false, 5.85)}};

  engine::Claim amended;
  amended.statement = {.id = "primal-dual/sec-3-best-in-classification",
                       .label = "Sec 3 (iii) (time series classification and LRA)",
                       .title = "Attention-BN+SH is the best on average on UEA and LRA",
                       .kind = engine::Kind::figure,
                       .tex = R"(\bar a_{\mathrm{BN+SH}}\ \text{best in Tables 1, 2 and 9})",
                       .assumptions = {"means of the printed rows"},
                       .expected = engine::Verdict::certified,
                       .printed = false,
                       .amends = "primal-dual/sec-3-best",
                       .note = "On LRA ahead of Attention-BN by 0.058 points, with spreads of 0.25 and 0.29."};
  amended.check = check(false, 0);
  amended.near_misses = {{"on LRA by more than 0.0585 points", 0.009, check(false, 5.85)},
                         {"on the regression archive too", 1, check(true, 0)}};
  return {printed, amended};
}

engine::Claim learned_beta() {
  // Attention-BN 80.77 +- 0.23 with beta learned, 81.05 +- 0.08 with it chosen; Attention-BN+SH 81.31 +- 0.25, 81.20 +-
  // 0.11.
  const auto check = [](double t) {
    return welch("Attention-BN and Attention-BN+SH on Retrieval", {{-28, 8, 23}, {11, 11, 25}}, Relation::less_equal,
                 t);
  };
  engine::Claim claim;
  claim.statement = {.id = "primal-dual/table-11-learned-beta",
                     .label = "Sec B.5 / Table 11 (\"learning beta does not improve much\")",
                     .title = "Learning beta does not improve the accuracy significantly",
                     .kind = engine::Kind::figure,
                     .tex = R"(t \le 0.91 < 1.859\quad\text{for learned against chosen } \beta)",
                     .assumptions = {"+- read as the standard deviation of five runs"},
                     .expected = engine::Verdict::certified,
                     .note = "For Attention-BN it is worse, 80.77 against 81.05."};
  claim.check = check(0.91);
  claim.near_misses = {{"t at most 0.9", 0.01, check(0.9)}};
  return claim;
}

}  // namespace

engine::Claims table_captions() {
  engine::Claims claims{most_tasks(), significance()};
  engine::append(claims, best());
  claims.push_back(learned_beta());
  return claims;
}

}  // namespace attest::primal_dual
