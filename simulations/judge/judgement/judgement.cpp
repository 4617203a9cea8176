#include "simulations/judge/judgement/judgement.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/judge/case/comparisons.hpp"
#include "simulations/judge/diagnosis/shrink.hpp"
#include "simulations/judge/diagnosis/would_have_caught.hpp"
#include "simulations/judge/judgement/probing.hpp"
#include "simulations/judge/judgement/refusals.hpp"

namespace attest::judge {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Judging {
 public:
  explicit Judging(const JudgementRequest& request) : request_(request), settings_(request.settings) {}

  Judgement run() {
    const Clock::time_point start = Clock::now();
    target_ = request_.target();
    settings_.conventions.signature = target_->signature();
    judgement_.source = target_->signature().source;
    refuse_unknown_parameters();
    if (!request_.options.empty()) {
      settings_.conventions.signature.parameters = request_.options;
      settings_.conventions.signature.any = false;
      // Who names the options and dout is not among them wants no gradients, of autograd either.
      if (std::ranges::find(request_.options, "dout") == request_.options.end())
        settings_.conventions.signature.differentiates = false;
    }
    judgement_.any_option = settings_.conventions.signature.any;
    CatalogueRequest wanted = request_.cases;
    leave_out_types(wanted);
    if (!possible_mechanism_case(example_case(wanted)))
      for (const std::string& setting : fill_needed_settings(wanted))
        judgement_.skipped.push_back(fmt::format("other settings than {0}: --set {0} names them", setting));
    wanted.both_corners = settings_.conventions.takes("alignment");
    wanted.corner = settings_.conventions.corner;
    wanted.far = settings_.conventions.signature.far;
    std::vector<CaseSpec> cases = request_.only;
    judgement_.offered = cases.size();
    interrupt_calls_by(request_.interrupted);
    std::vector<Record> records;
    try {
      if (cases.empty()) {
        Probing probing(*target_, settings_, judgement_.skipped, hangs_);
        probing.run(wanted);
        refused_ = probing.refused();
        of_probes_ = probing.take_records();
        name_what_is_not_judged(wanted);
        cases = chosen(catalogue(wanted));
      }
      records = judged(cases, Clock::now());
    } catch (const Interrupted&) {
    }
    records.insert(records.end(), std::make_move_iterator(of_probes_.begin()),
                   std::make_move_iterator(of_probes_.end()));
    for (const Record& record : records) {
      judgement_.calls += static_cast<std::size_t>(record.calls);
      if (record.judged) ++judgement_.cases;
      if (!record.failures.empty()) continue;
      for (const auto& [output, ratio] : record.ratios)
        judgement_.ratios[output] = std::max(judgement_.ratios[output], ratio);
    }
    for (std::string& refusal : refusals_of(records)) judgement_.skipped.push_back(std::move(refusal));
    try {
      look_closer(records);
    } catch (const Interrupted&) {
      // What was found is named from the calls that were made.
      SilentTarget silent(target_->signature());
      judgement_.findings = diagnose(records, silent, settings_);
    }
    judgement_.interrupted = calls_are_interrupted();
    interrupt_calls_by(nullptr);
    judgement_.seconds = since(start);
    return std::move(judgement_);
  }

 private:
  /// What is required and in no case would be handed over as nothing. Errors: std::invalid_argument.
  void refuse_unknown_parameters() const {
    const std::vector<std::string> known = known_options(request_.cases.mechanism);
    for (const std::string& name : target_->signature().required)
      if (std::ranges::find(known, name) == known.end())
        throw std::invalid_argument(
            fmt::format("the function cannot be called without '{}', which {} does not have: give it a default, or a "
                        "name of the contract ({})",
                        name, request_.cases.mechanism, fmt::join(known, ", ")));
  }

  /// A target that is not called any more.
  class SilentTarget : public Target {
   public:
    explicit SilentTarget(Signature signature) : signature_(std::move(signature)) {}
    const Signature& signature() const override { return signature_; }
    Answer call(const Request&) override {
      Answer answer;
      answer.status = Answer::Status::absent;
      return answer;
    }

   private:
    Signature signature_;
  };

  /// Names what failed, makes it small, or says what would have been caught.
  void look_closer(std::vector<Record>& records) {
    if (calls_are_interrupted()) throw Interrupted{};
    judgement_.findings = diagnose(records, *target_, settings_);
    if (request_.shrink) {
      // The time that is left is shared; a finding that cannot be made smaller in time stays as it is.
      const double seconds =
          std::min(3.0, 15.0 / static_cast<double>(std::max<std::size_t>(1, judgement_.findings.size())));
      for (Finding& finding : judgement_.findings) shrink(finding, *target_, settings_, seconds);
    }
    if (judgement_.findings.empty()) judgement_.caught = would_have_caught(records, settings_);
  }

  /// Properties that do not hold for the mechanism, and arrays that cannot be handed over.
  void name_what_is_not_judged(const CatalogueRequest& wanted) {
    if (!wanted.far)
      judgement_.skipped.emplace_back("offsets beyond 2^31 entries: such arrays cannot be handed to this target");
    if (!settings_.same_bits_in_any_batch)
      judgement_.skipped.emplace_back(
          "the same bits alone as in a batch: frameworks choose kernels by the size of a batch; --set "
          "batch_invariant=true demands them");
    if (settings_.deterministic != Deterministic::all)
      judgement_.skipped.emplace_back(settings_.deterministic == Deterministic::forward
                                          ? "the same bits of gradients in every call: --set deterministic=forward"
                                          : "the same bits in every call: --set deterministic=false");
    if (is_plain_attention(wanted.mechanism)) return;
    const attention::Settings settings(wanted.settings.begin(), wanted.settings.end());
    for (const Comparison& one : comparisons_of(attention::find_mechanism(wanted.mechanism), settings))
      if (!one.why_not.empty()) judgement_.skipped.push_back(fmt::format("{}: {}", name(one.property), one.why_not));
  }

  /// bfloat16 where it cannot be handed over.
  void leave_out_types(CatalogueRequest& wanted) {
    const std::string& why = settings_.conventions.signature.without_bfloat16;
    if (why.empty() || std::erase(wanted.types, ElementType::bfloat16) == 0) return;
    judgement_.skipped.push_back("bfloat16: " + why);
    if (wanted.types.empty()) throw std::invalid_argument("bfloat16 alone cannot be judged here: " + why);
  }

  /// Whether the target draws dropout where no mask is given: it takes a rate, and a seed or no mask at all.
  bool draws_dropout() const {
    const Conventions& conventions = settings_.conventions;
    return !conventions.first_taken({"dropout_rate", "dropout_p"}).empty() &&
           (conventions.takes("seed") || !conventions.takes("dropout_mask"));
  }

  bool mechanism_takes(const CaseSpec& spec, std::string& lacking) const {
    const Signature& signature = settings_.conventions.signature;
    const auto takes = [&](const std::string& name) {
      return signature.any ||
             std::find(signature.parameters.begin(), signature.parameters.end(), name) != signature.parameters.end();
    };
    lacking.clear();
    const Conventions& conventions = settings_.conventions;
    if (spec.causal && !takes("causal") && !conventions.causal_always) lacking = "causal";
    if (!spec.mask.empty() && !conventions.takes("mask")) lacking = "mask";
    if (spec.padding != 0 && !conventions.takes("key_lengths")) lacking = "key_lengths";
    if (spec.gradient && !takes("dout") && !signature.differentiates) lacking = "dout";
    for (const auto& [key, value] : spec.settings)
      if (!takes(key)) lacking = key;
    // Both corners are right where nobody says which.
    if (spec.queries != spec.keys && declares(attention::find_mechanism(spec.mechanism), "alignment") &&
        !conventions.takes("alignment") && !conventions.corner_is_stated)
      lacking = "alignment";
    if (spec.family == "required inputs alone")
      for (const attention::InputSpec& input : attention::find_mechanism(spec.mechanism).inputs)
        if (!input.required && std::ranges::find(signature.required, input.name) != signature.required.end())
          lacking = "a call without " + input.name;
    return lacking.empty();
  }

  /// The cases that the target takes; of the others the options that it lacks go into `skipped`.
  std::vector<CaseSpec> chosen(std::vector<CaseSpec> all) {
    std::vector<CaseSpec> result;
    if (!target_->signature().repeats) {
      for (const Property property : {Property::repeat, Property::other_options}) {
        std::erase_if(all, [property](const CaseSpec& spec) { return spec.property == property; });
        judgement_.skipped.push_back(fmt::format("{}: the target answers each call once", name(property)));
      }
    }
    if (!all.empty() && !is_plain_attention(all.front().mechanism))
      std::erase_if(all, [](const CaseSpec& spec) { return !possible_mechanism_case(spec); });
    judgement_.offered = all.size() + of_probes_.size();
    if (const std::size_t longest = std::erase_if(all, takes_too_many_products); longest > 0)
      judgement_.skipped.push_back(fmt::format(
          "{} of the longest cases: too many products in the widths and tiles that the target takes", longest));
    std::vector<std::string> lacking_options;
    for (CaseSpec& spec : all) {
      std::string lacking;
      const bool softmax = is_plain_attention(spec.mechanism);
      CaseSpec without_mask = spec;
      if (spec.property == Property::drawn_dropout) without_mask.dropout = 0;
      bool takes = softmax ? takes_all(settings_.conventions, without_mask, lacking) : mechanism_takes(spec, lacking);
      if (takes && spec.property == Property::drawn_dropout && !draws_dropout()) {
        takes = false;
        lacking = "dropout_rate and seed";
      }
      if (!takes) {
        if (std::find(lacking_options.begin(), lacking_options.end(), lacking) == lacking_options.end())
          lacking_options.push_back(lacking);
        continue;
      }
      if (std::any_of(refused_.begin(), refused_.end(), [&](const Probe& probe) { return probe.has(spec); })) continue;
      result.push_back(std::move(spec));
    }
    for (const std::string& option : lacking_options)
      judgement_.skipped.push_back(fmt::format("{}: the target does not take it", option));
    return result;
  }

  std::vector<Record> judged(const std::vector<CaseSpec>& cases, Clock::time_point start) {
    std::vector<Record> records(cases.size());
    const std::vector<std::size_t> order = judging_order(cases);
    const std::size_t probed = of_probes_.size();  // cases too, which came first
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex lock;
    std::exception_ptr error;
    bool late = false;
    const auto work = [&](Target& target) {
      for (;;) {
        const std::size_t turn = next++;
        if (turn >= cases.size()) return;
        const std::size_t n = order[turn];
        records[n].spec = cases[n];
        if (request_.interrupted != nullptr && request_.interrupted->load()) return;
        if (since(start) > request_.seconds || hangs_ >= most_hangs) {
          const std::lock_guard guard(lock);
          late = true;
          return;
        }
        Record record;
        try {
          record = run_trial(cases[n], target, settings_);
        } catch (const Interrupted&) {
          return;
        }
        if (has_hung(record)) ++hangs_;
        const std::lock_guard guard(lock);
        records[n] = std::move(record);
        ++done;
        if (request_.progress)
          request_.progress(probed + done, probed + cases.size(), std::string(name(cases[n].property)));
      }
    };
    std::vector<std::thread> others;
    for (unsigned t = 1; t < request_.threads; ++t)
      others.emplace_back([&] {
        try {
          const std::unique_ptr<Target> target = request_.target();
          work(*target);
        } catch (const Interrupted&) {
        } catch (...) {
          const std::lock_guard guard(lock);
          error = std::current_exception();
        }
      });
    try {
      work(*target_);
    } catch (...) {
      const std::lock_guard guard(lock);
      error = std::current_exception();
    }
    for (std::thread& other : others) other.join();
    if (error) std::rethrow_exception(error);
    if (late)
      judgement_.skipped.push_back(
          fmt::format("{} of the {} cases that the target takes: {}", cases.size() - done, probed + cases.size(),
                      hangs_ >= most_hangs ? "too many calls did not return in time" : "the budget of time ended"));
    return records;
  }

  const JudgementRequest& request_;
  TrialSettings settings_;
  std::unique_ptr<Target> target_;
  std::vector<Probe> refused_;
  std::vector<Record> of_probes_;
  std::atomic<int> hangs_ = 0;
  Judgement judgement_;
};

}  // namespace

Judgement judge(const JudgementRequest& request) { return Judging(request).run(); }

}  // namespace attest::judge
