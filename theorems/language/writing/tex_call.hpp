// How names and calls are typeset.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// x, x_{1}, \alpha, \mathit{width}: a name as mathematics.
std::string tex_name(std::string_view name);

/// A word in upright letters with its underscores: \operatorname{gelu\_tanh}.
std::string tex_operator(std::string_view word);

/// Whether plain brackets around it are tall enough.
bool is_flat(std::string_view tex);
/// (tex), with brackets as tall as what they hold.
std::string in_brackets(const std::string& tex);

/// f(args) by the field's notation, its arguments typeset already. Options appear under attention's name.
std::string tex_call(const Node& call, const std::vector<std::string>& args, const std::vector<std::string>& options);

}  // namespace attest::language
