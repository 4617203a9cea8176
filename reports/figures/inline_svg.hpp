// A gnuplot drawing inside a page.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// `svg`, as gnuplot's svg terminal writes it, for use inside HTML: no prolog and no name spaces, colours of the
/// palette replaced by the page's, fonts left to the page, ids prefixed by `name` so that they are unique in it, and
/// `description` for those who cannot see it. Empty where `svg` holds no drawing.
std::string inline_svg(std::string_view svg, std::string_view name, std::string_view description);

}  // namespace attest::reports
