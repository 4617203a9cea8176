// What a row that sees no key may give.
#pragma once

#include "simulations/judge/trial/answers.hpp"

namespace attest::judge {

/// Puts what belongs into `outputs` wherever a row that sees no key gives something else that may stand: an lse of
/// -infinity beside a sink, whose logit is the other reading; and with `settings.any_empty_rows` any out and lse.
void accept_empty_rows(const Problem& problem, const Expected& expected, const TrialSettings& settings,
                       Outputs& outputs);

/// Takes what such rows give out of the loss: dout and dlse are 0 there.
void leave_out_empty_rows(Problem& problem);

}  // namespace attest::judge
