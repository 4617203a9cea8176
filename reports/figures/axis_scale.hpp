// The part of an axis that is drawn, and the numbers beside it.
#pragma once

#include <string>
#include <vector>

#include "reports/figures/figure.hpp"

namespace attest::reports {

/// A number beside an axis. In its label "10^{3}" is a power.
struct Tick {
  double value;
  std::string label;
};

/// From `low` to `high` (downwards on a y axis with names: low > high).
struct AxisScale {
  double low, high;
  bool logarithmic;
  std::vector<Tick> ticks;  ///< all within, ascending
};

/// Least and largest drawn value.
struct Extremes {
  double least, largest;
};

/// Ends at the data and 4 percent of their span more on both sides (of the span of the logarithms on a logarithmic
/// axis, at most a third of a decade), so that no axis runs on without data; an axis of values that are not negative
/// does not begin below 0, one of values that are not positive does not end above. A single value gets a tenth of its
/// size on both sides. With `tight` it ends at the data. Numbers at 1, 2 or 5 times powers of ten, decades only where
/// there are many: about `most` of them, one more at most, and at least two where `most` is 5 or more. An axis with
/// places shows these names and nothing else. Preconditions: least <= largest, both finite, positive on a logarithmic
/// axis.
AxisScale axis_scale(const Axis& axis, Extremes data, int most, bool tight, bool downwards);

/// A number beside an axis: "0.25", "−3", "2×10^{−7}"; `as_power`: "10^{2}" for 100.
std::string tick_label(double value, bool as_power = false);

}  // namespace attest::reports
