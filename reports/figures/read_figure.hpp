// A figure out of its JSON form.
#pragma once

#include "reports/figures/figure.hpp"
#include "reports/files/json_place.hpp"

namespace attest::reports {

/// The figure at `place`, in the form that `Figure` documents.
/// Errors: MalformedResults; among others when only some points of a series have an interval, or a name is not a file
/// stem.
Figure read_figure(const JsonPlace& place);

}  // namespace attest::reports
