#include "simulations/commands/apply.hpp"
#include "simulations/commands/common_options.hpp"
#include "simulations/commands/judge.hpp"
#include "simulations/commands/list_attention.hpp"
#include "simulations/commands/verb.hpp"

namespace attest::commands {
namespace {

void add_apply(CLI::App& verb, Chosen& chosen) {
  ApplyOptions& o = options_for<ApplyOptions>(verb, chosen, apply);
  verb.add_option("mechanism", o.mechanism, "its name; attest list --attention shows them all")->required();
  verb.add_option("--input", o.input, "the arrays to apply it to, .npz or .safetensors");
  verb.add_option("--output", o.output, "where out and the gradients go, .npz or .safetensors");
  verb.add_option("--set", o.settings, "key=value, once for each option of the mechanism")->allow_extra_args(false);
  verb.add_flag("--grad", o.gradients, "also loss = sum(out * R) and the gradient of every floating-point input");
  verb.add_flag("--lse", o.lse, "also lse, the logarithm of each row's sum of exponentials");
  verb.add_option("--expect", o.expected, "your own results, .npz or .safetensors: compared with ours entry by entry");
  verb.add_option("--layout", o.layout, "bhnd or bnhd: the axes of q, k, v, R, out and their gradients")
      ->capture_default_str();
  verb.add_option("--dtype", o.type, "float64, float32, float16 or bfloat16: what inputs are rounded to and given back")
      ->capture_default_str();
  verb.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  add_threads(verb, o.threads);
  verb.add_option("--example", o.example, "write a small input that suits the mechanism to this file, and end");
  verb.footer(apply_help);
}

void add_judge(CLI::App& verb, Chosen& chosen) {
  JudgeOptions& o = options_for<JudgeOptions>(verb, chosen, judge);
  verb.add_option("target", o.target,
                  "python:MODULE:FUNCTION (MODULE may be a .py file), ./libmine.so, command:\"./mine {in} {out}\" or "
                  "recorded:DIR");
  verb.add_option("--as", o.mechanism, "what it should compute; attest list --attention shows the names")
      ->capture_default_str();
  verb.add_option("--set", o.settings, "key=value, once for each convention or option of the mechanism")
      ->allow_extra_args(false);
  verb.add_option("--python", o.python, "the interpreter; python3 or /usr/bin/python3 unless given");
  verb.add_flag("--torch", o.torch, "hand over PyTorch tensors, and differentiate by autograd unless dout is taken");
  verb.add_option("--dtype", o.types,
                  "float64, float32, float16 or bfloat16; may be repeated; all that work unless given")
      ->allow_extra_args(false);
  verb.add_option("--options", o.options, "only these options of the contract, such as causal,mask,dout")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option(
          "--accumulate", o.accumulate,
          "what 16-bit results are held to: float32 (sums in float32, arrays between steps in the type), strict "
          "(nothing but inputs and outputs in the type) or input (sums in the type too)")
      ->capture_default_str();
  add_budget(verb, o.budget, "quick (half a minute) or standard (five)");
  add_seed(verb, o.seed);
  add_threads(verb, o.threads, "processes that are judged at a time, 0 for two; never changes a result");
  verb.add_option("--limit", o.limit,
                  "seconds that a call may take; three times that while it has had less of a processor")
      ->capture_default_str();
  verb.add_option("--case", o.case_file, "only this case, as a finding has stored it");
  verb.add_option("--out", o.out, "directory for the cases of findings")->capture_default_str();
  verb.add_option("--json", o.json, "also write the judgement to this file");
  verb.add_option("--junit", o.junit, "also write it as JUnit");
  verb.add_option("--sarif", o.sarif, "also write it as SARIF");
  verb.add_option("--emit-cases", o.emit_cases,
                  "write the cases to this directory, for another machine to answer, and end");
  verb.add_option("--emit-wrapper", o.emit_wrapper, "print a wrapper to start from, and end: torch, jax, triton or c");
  verb.footer("Exit codes: 0 no finding; 1 findings; 2 wrong usage or bad input; 3 a file failed; 130 interrupted.");
}

}  // namespace

std::vector<Verb> array_verbs() {
  return {{"apply", "evaluate an attention mechanism, and its gradients, on your arrays", add_apply},
          {"judge", "judge an attention implementation of your own", add_judge}};
}

}  // namespace attest::commands
