#include "simulations/data/text/listops.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

struct Operation {
  std::string_view name;
  std::vector<int> arguments;
};

int apply(Operation& operation) {
  std::vector<int>& x = operation.arguments;
  if (operation.name == "[SM") {
    int sum = 0;
    for (const int value : x) sum += value;
    return sum % 10;
  }
  std::sort(x.begin(), x.end());
  if (operation.name == "[MIN") return x.front();
  if (operation.name == "[MAX") return x.back();
  const std::size_t middle = x.size() / 2;
  return x.size() % 2 == 1 ? x[middle] : (x[middle - 1] + x[middle]) / 2;
}

bool is_digit(std::string_view token) { return token.size() == 1 && token[0] >= '0' && token[0] <= '9'; }

bool is_operator(std::string_view token) {
  return token == "[MIN" || token == "[MAX" || token == "[MED" || token == "[SM";
}

}  // namespace

TokenVocabulary listops_vocabulary() {
  return fixed_words({"[MIN", "[MAX", "[MED", "[SM", "]", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
}

std::string without_parentheses(std::string_view expression, const std::string& place) {
  std::string tokens;
  for (const std::string_view token : split(expression, ' ')) {
    if (token.empty() || token == "(" || token == ")") continue;
    if (token != "]" && !is_digit(token) && !is_operator(token)) {
      refuse(place,
             fmt::format("{} is not a token of ListOps ([MIN, [MAX, [MED, [SM, ], 0 to 9); the file may be cut: fetch "
                         "it again",
                         cited(token)));
    }
    if (!tokens.empty()) tokens += ' ';
    tokens += token;
  }
  return tokens;
}

ListOpsValue evaluate_listops(std::string_view expression, const std::string& place) {
  constexpr std::string_view cut = "the file may be cut: fetch it again";
  std::vector<Operation> open;  // a stack of our own: no input can exhaust the program's
  ListOpsValue result;
  bool complete = false;
  for (const std::string_view token : split(expression, ' ')) {
    if (token.empty()) continue;
    if (complete) refuse(place, fmt::format("{} follows a complete expression; {}", cited(token), cut));
    if (is_operator(token)) {
      open.push_back({token, {}});
      result.depth = std::max(result.depth, open.size());
      continue;
    }
    int value = 0;
    if (is_digit(token)) {
      value = token[0] - '0';
    } else if (token == "]") {
      if (open.empty()) refuse(place, fmt::format("a ] closes nothing; {}", cut));
      if (open.back().arguments.empty()) refuse(place, fmt::format("{} has no argument; {}", open.back().name, cut));
      value = apply(open.back());
      open.pop_back();
    } else {
      refuse(place, fmt::format("{} is not a token of ListOps without round brackets; {}", cited(token), cut));
    }
    if (open.empty()) {
      result.value = value;
      complete = true;
    } else {
      open.back().arguments.push_back(value);
    }
  }
  if (!complete)
    refuse(place,
           fmt::format("the expression ends with {} open; {}", reports::counted(std::ssize(open), "operator"), cut));
  return result;
}

LabelledTexts parse_listops(std::string_view bytes, const std::string& name) {
  check_text(bytes, name);
  LineReader reader(bytes);
  LabelledTexts texts;
  texts.classes = numbered_labels(10);
  bool expression_first = false;
  for (Line line; reader.next(line);) {
    if (line.number == 1 && line.text == "Source\tTarget") {
      expression_first = true;
      continue;
    }
    const std::string place = place_of(name, line.number);
    const std::vector<std::string_view> fields = split(line.text, '\t');
    if (fields.size() != 2) {
      refuse(place, fmt::format("{} where an expression and its value are needed; the file may be cut: fetch it "
                                "again",
                                reports::counted(std::ssize(fields), "field")));
    }
    std::string expression = without_parentheses(fields[expression_first ? 0 : 1], place);
    const auto label = texts.classes.find(fields[expression_first ? 1 : 0]);
    const int value = evaluate_listops(expression, place).value;
    if (label != value) {
      refuse(place, fmt::format("label {} where the expression is worth {}; fix the label",
                                cited(fields[expression_first ? 1 : 0]), value));
    }
    texts.labels.push_back(value);
    texts.texts.push_back(std::move(expression));
  }
  if (texts.texts.empty()) refuse(name, "holds no expression; fetch it again");
  return texts;
}

}  // namespace attest::data
