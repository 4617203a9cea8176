#include "simulations/judge/diagnosis/diagnose.hpp"

#include <gtest/gtest.h>

#include "simulations/judge/case/number_types.hpp"
#include "simulations/judge/diagnosis/hypotheses.hpp"
#include "simulations/judge/judgement/judgement.hpp"

namespace attest::judge {
namespace {

/// Attention under a hypothesis as a target in this process: reads the request back into a problem.
class Imitation : public Target {
 public:
  explicit Imitation(Semantics semantics, bool only_gradients = false)
      : semantics_(semantics), only_gradients_(only_gradients) {
    signature_.parameters = {"causal", "alignment", "scale", "window",       "softcap",
                             "mask",   "bias",      "dout",  "alibi_slopes", "sinks"};
  }
  const Signature& signature() const override { return signature_; }

  Answer call(const Request& request) override {
    const Problem problem = read(request);
    const Precision precision = precision_of(problem.type, Accumulation::widened);
    const Expected truth = expected_attention(problem, precision);
    const Expected wrong = expected_attention(problem, precision, semantics_, &truth);
    Answer answer;
    for (const char* name : {"out", "lse", "dq", "dk", "dv"}) {
      const bool gradient = *name == 'd';
      const Judged& judged = *(only_gradients_ && !gradient ? truth : wrong).find(name);
      if (!judged.present()) continue;
      const std::vector<Index>& q = request.arrays.at("q").shape;
      std::vector<Index> shape = std::string(name) == "lse"  ? std::vector<Index>{q[0], q[1], q[2]}
                                 : std::string(name) == "dq" ? q
                                 : std::string(name) == "dk" ? request.arrays.at("k").shape
                                 : std::string(name) == "dv" ? request.arrays.at("v").shape
                                                             : q;
      if (std::string(name) == "out") shape[3] = request.arrays.at("v").shape[3];
      answer.arrays[name] = array_in(problem.type, shape, judged.values);
    }
    return answer;
  }

 private:
  static std::vector<double> numbers(const Request& request, const char* name) {
    const auto found = request.arrays.find(name);
    return found == request.arrays.end() ? std::vector<double>{} : simulations::floating_values<double>(found->second);
  }

  static Problem read(const Request& request) {
    Problem p;
    const simulations::Array &q = request.arrays.at("q"), &k = request.arrays.at("k"), &v = request.arrays.at("v");
    p.type = q.type;
    p.batch = q.shape[0], p.heads = q.shape[1], p.queries = q.shape[2], p.width = q.shape[3];
    p.kv_heads = k.shape[1], p.keys = k.shape[2], p.value_width = v.shape[3];
    p.q = numbers(request, "q"), p.k = numbers(request, "k"), p.v = numbers(request, "v");
    p.dout = numbers(request, "dout");
    p.slopes = numbers(request, "alibi_slopes"), p.sinks = numbers(request, "sinks");
    p.causal = request.options.value("causal", false);
    p.corner =
        request.options.value("alignment", "bottom_right") == "top_left" ? Corner::top_left : Corner::bottom_right;
    if (request.options.contains("scale")) p.scale = request.options["scale"].get<double>();
    if (request.options.contains("window")) p.window = request.options["window"].get<Window>();
    p.softcap = request.options.value("softcap", 0.0);
    if (const auto mask = request.arrays.find("mask"); mask != request.arrays.end()) {
      const std::vector<Index>& shape = mask->second.shape;
      const bool batched = shape.size() == 4, headed = batched && shape[1] > 1;
      if (mask->second.type == ElementType::boolean)
        p.visible = {batched,   headed, p.heads,
                     p.queries, p.keys, {mask->second.bytes.begin(), mask->second.bytes.end()}};
      else
        p.added = {batched, headed, p.heads, p.queries, p.keys, numbers(request, "mask")};
    }
    if (request.arrays.contains("bias")) p.bias = {false, true, p.heads, p.queries, p.keys, numbers(request, "bias")};
    return p;
  }

  Semantics semantics_;
  bool only_gradients_;
  Signature signature_;
};

Judgement judged(const Semantics& semantics, bool only_gradients = false) {
  JudgementRequest request;
  request.target = [=] { return std::make_unique<Imitation>(semantics, only_gradients); };
  request.cases.types = {ElementType::float64};
  request.seconds = 1e9;
  request.shrink = false;
  return judge(request);
}

TEST(Diagnosis, FindsNothingInTheTruth) {
  const Judgement judgement = judged({});
  EXPECT_TRUE(judgement.findings.empty());
  EXPECT_GT(judgement.cases, 300U);
  EXPECT_FALSE(judgement.caught.empty());
}

void expect_class(const Semantics& semantics, const std::string& wanted, bool only_gradients = false) {
  const Judgement judgement = judged(semantics, only_gradients);
  ASSERT_FALSE(judgement.findings.empty()) << wanted;
  for (const Finding& finding : judgement.findings) EXPECT_EQ(finding.class_name, wanted) << finding.message;
}

TEST(Diagnosis, NamesTheWrongCorner) {
  Semantics semantics;
  semantics.causal = Semantics::Causal::other_corner;
  expect_class(semantics, "causal mask aligned to the wrong corner");
}

TEST(Diagnosis, NamesTiledKeyHeads) {
  Semantics semantics;
  semantics.heads = Semantics::Heads::tiled;
  expect_class(semantics, "key heads mapped wrongly");
}

TEST(Diagnosis, NamesASoftcapAfterTheMask) {
  Semantics semantics;
  semantics.masked = Semantics::Masked::capped;
  const Judgement judgement = judged(semantics);
  ASSERT_FALSE(judgement.findings.empty());
  EXPECT_EQ(judgement.findings.front().class_name, "softcap applied after the mask");
}

TEST(Diagnosis, TellsABackwardPassThatDisagreesWithItsForwardPass) {
  Semantics semantics;
  semantics.group = Semantics::Group::first;
  const Judgement judgement = judged(semantics, true);
  ASSERT_FALSE(judgement.findings.empty());
  EXPECT_EQ(judgement.findings.front().class_name, "dk and dv not summed over the group");
}

TEST(Diagnosis, ShrinksACaseToTheSmallestThatShowsTheSame) {
  JudgementRequest request;
  Semantics semantics;
  semantics.causal = Semantics::Causal::one_ahead;
  request.target = [=] { return std::make_unique<Imitation>(semantics); };
  request.cases.types = {ElementType::float64};
  request.seconds = 1e9;
  const Judgement judgement = judge(request);
  ASSERT_FALSE(judgement.findings.empty());
  const CaseSpec& spec = judgement.findings.front().spec;
  EXPECT_EQ(judgement.findings.front().class_name, "causal mask off by one");
  EXPECT_TRUE(spec.causal);
  EXPECT_EQ(spec.batch * spec.heads * spec.width, 1);
  EXPECT_LE(spec.keys, 3);
}

TEST(Hypotheses, EachDiffersFromTheTruthInSomeCaseOfTheCatalogue) {
  CatalogueRequest request;
  request.both_corners = true;
  const std::vector<CaseSpec> cases = catalogue(request);
  const Precision precision = precision_of(ElementType::float64, Accumulation::widened);
  for (const Hypothesis& hypothesis : hypotheses()) {
    bool differs = false;
    for (const CaseSpec& spec : cases) {
      if (differs) break;
      const bool small = spec.batch * spec.heads * spec.queries * spec.keys < 3000 || spec.keys > 65536;
      const bool wide = spec.type == ElementType::float64 || spec.keys > 65536;
      if (!small || !wide || !hypothesis.applies(spec)) continue;
      if (hypothesis.of == Hypothesis::Of::gradient && !spec.gradient) continue;
      const Problem problem = problem_of(spec);
      const Expected truth = expected_attention(problem, precision);
      const Expected wrong = expected_attention(problem, precision, hypothesis.semantics, &truth);
      for (const char* name : {"out", "lse", "dq", "dk", "dv"})
        if (truth.find(name)->present() && distance(*truth.find(name), wrong.find(name)->values).ratio > 1)
          differs = true;
    }
    EXPECT_TRUE(differs) << hypothesis.class_name << ": " << hypothesis.text;
  }
}

}  // namespace
}  // namespace attest::judge
