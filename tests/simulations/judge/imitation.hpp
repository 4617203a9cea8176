// A target in the tests' own process.
#pragma once

#include <string>
#include <vector>

#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/reference/attention_reference.hpp"
#include "simulations/judge/target/target.hpp"

namespace attest::judge {

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
    const bool needs_truth = only_gradients_ || semantics_.saved_forward;
    const Expected truth = needs_truth ? expected_attention(problem, precision) : Expected{};
    const Expected wrong = expected_attention(problem, precision, semantics_, needs_truth ? &truth : nullptr);
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
    return found == request.arrays.end() ? std::vector<double>{} : arrays::floating_values<double>(found->second);
  }

  static Problem read(const Request& request) {
    Problem p;
    const arrays::Array &q = request.arrays.at("q"), &k = request.arrays.at("k"), &v = request.arrays.at("v");
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

}  // namespace attest::judge
