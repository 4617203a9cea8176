// The functions of the language: one table that the reader, the evaluators, TeX and the handbook share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest::language {

/// What kind of function it is: how it treats arrays.
enum class FunctionGroup : std::uint8_t {
  entrywise,  ///< a function of numbers, taken entry by entry (two arguments: of one shape, or one of them a scalar)
  reduction,  ///< an array to a number
  norm,       ///< an array, and the order, to a number
  algebra,    ///< of vectors and matrices
  making,     ///< makes an array of a given size, or reads the size of one
  attention   ///< softmax and what stands around it
};

/// One function.
struct Function {
  std::string_view name;                             ///< as in the normal form and in the tree
  FunctionGroup group = FunctionGroup::entrywise;    ///<
  std::vector<std::string_view> parameters = {"x"};  ///< in their order; f(x, eps = 1) names one by its own name
  std::size_t required = 1;                          ///< how many of them must be given, from the first
  std::vector<std::string_view> aliases = {};        ///< other spellings, read as `name`
  bool any_number = false;                           ///< takes any number of arguments from `required` on
  bool any_option = false;                           ///< takes options besides its parameters (attention alone)
};

/// All functions, group by group.
std::span<const Function> functions();

/// The function of that name or alias; nullptr where there is none.
const Function* find_function(std::string_view name_or_alias);

/// All names and aliases, for suggestions.
std::vector<std::string> function_names();

/// "norm(x, p)", "layernorm(x, eps)", "norm(x) or norm(x, p)": how it is called, for messages.
std::string how_to_call(const Function& function);

}  // namespace attest::language
