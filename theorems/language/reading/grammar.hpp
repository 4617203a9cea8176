// The grammar of the language, rule by rule (PEGTL). An expression is a flat sequence of operators and operands; what
// binds tighter is decided when the tree is built, so that only brackets recurse here. Included by syntax.cpp alone.
#pragma once

#include <tao/pegtl.hpp>

#include "theorems/language/reading/syntax.hpp"

namespace attest::language::grammar {

namespace peg = tao::pegtl;
using Kind = Mark::Kind;

/// A rule whose match is kept as a mark of that kind.
template <Kind K>
struct marked {
  static constexpr Kind kind = K;
};

// ---- white space, words and signs
// -------------------------------------------------------------------------------------
struct comment : peg::seq<peg::one<'#'>, peg::star<peg::not_one<'\n'>>> {};
struct blank : peg::star<peg::sor<peg::space, comment>> {};
template <char... Cs>
struct sign : peg::seq<peg::string<Cs...>, blank> {};
template <typename Word>
struct keyword : peg::seq<Word, peg::not_at<peg::identifier_other>, blank> {};

struct kw_let : keyword<TAO_PEGTL_STRING("let")> {};
struct two_words : peg::seq<TAO_PEGTL_STRING("for"), peg::plus<peg::space>, TAO_PEGTL_STRING("all")> {};
struct kw_forall : keyword<peg::sor<TAO_PEGTL_STRING("forall"), two_words>> {};
struct kw_exists : keyword<TAO_PEGTL_STRING("exists")> {};
struct kw_random : keyword<TAO_PEGTL_STRING("random")> {};
struct kw_best : keyword<TAO_PEGTL_STRING("best")> {};
struct kw_limit : keyword<TAO_PEGTL_STRING("limit")> {};
struct such_that : peg::seq<TAO_PEGTL_STRING("such"), peg::plus<peg::space>, TAO_PEGTL_STRING("that")> {};
struct kw_where : keyword<peg::sor<TAO_PEGTL_STRING("where"), such_that>> {};
struct kw_in : keyword<TAO_PEGTL_STRING("in")> {};
struct word_and : peg::seq<TAO_PEGTL_STRING("and"), peg::not_at<peg::identifier_other>> {};
struct word_or : peg::seq<TAO_PEGTL_STRING("or"), peg::not_at<peg::identifier_other>> {};
struct word_not : peg::seq<TAO_PEGTL_STRING("not"), peg::not_at<peg::identifier_other>> {};
struct word_implies : peg::seq<TAO_PEGTL_STRING("implies"), peg::not_at<peg::identifier_other>> {};
struct any_prefix : peg::sor<kw_let, kw_forall, kw_exists, kw_random, kw_best, kw_limit> {};
struct any_keyword : peg::sor<any_prefix, kw_where, kw_in, word_and, word_or, word_not, word_implies> {};

struct name_letters : peg::identifier, marked<Kind::name> {};
struct name : peg::seq<peg::not_at<any_keyword>, name_letters, blank> {};
/// For looking ahead, which leaves no marks.
struct name_ahead : peg::seq<peg::not_at<any_keyword>, peg::identifier, blank> {};

// Signs that something must end with; what is said where they are missing stands in syntax.cpp.
struct comma : sign<','> {};
struct colon : sign<':'> {};
struct open_paren : sign<'('> {};
struct close_paren : sign<')'> {};
struct open_square : sign<'['> {};
struct close_square : sign<']'> {};
struct close_brace : sign<'}'> {};
struct dots : sign<'.', '.'> {};
struct arrow : sign<'-', '>'> {};
struct equals : peg::seq<peg::one<'='>, peg::opt<peg::one<'='>>, peg::not_at<peg::one<'>'>>, blank> {};

// ---- expressions
// ------------------------------------------------------------------------------------------------------
struct expression;
struct expressions : peg::list_must<expression, comma> {};

struct exponent : peg::seq<peg::one<'e', 'E'>, peg::opt<peg::one<'+', '-'>>, peg::plus<peg::digit>> {};
struct decimals : peg::seq<peg::one<'.'>, peg::plus<peg::digit>> {};
struct number_letters
    : peg::seq<peg::sor<peg::seq<peg::plus<peg::digit>, peg::opt<decimals>>, decimals>, peg::opt<exponent>>,
      marked<Kind::number> {};
struct number : peg::seq<number_letters, blank> {};
struct quotation_end : peg::one<'"'> {};
struct text_letters : peg::if_must<peg::one<'"'>, peg::star<peg::not_one<'"', '\n'>>, quotation_end>,
                      marked<Kind::text> {};
struct text : peg::seq<text_letters, blank> {};

struct names : peg::list<name, comma> {};
struct names_and_in : peg::seq<peg::list<name_ahead, comma>, kw_in> {};
struct range_dots : dots {};
struct generator : peg::seq<names, kw_in, peg::must<expression, range_dots, expression>>, marked<Kind::generator> {};
struct comprehension_colon : colon {};
struct comprehension
    : peg::if_must<peg::at<names_and_in>, peg::list_must<generator, comma>, comprehension_colon, expression>,
      marked<Kind::comprehension> {};
struct option_start : peg::seq<name_ahead, equals> {};
struct option : peg::if_must<peg::at<option_start>, name, equals, expression>, marked<Kind::option> {};
struct argument : peg::sor<option, expression> {};
struct argument_list : peg::sor<comprehension, peg::list_must<argument, comma>> {};
struct arguments : peg::if_must<open_paren, peg::opt<argument_list>, close_paren>, marked<Kind::arguments> {};
struct reference : peg::seq<name, peg::opt<arguments>>, marked<Kind::reference> {};

struct paren : peg::if_must<open_paren, expression, close_paren>, marked<Kind::paren> {};
struct row : expressions, marked<Kind::row> {};
struct semicolon : sign<';'> {};
struct array : peg::if_must<open_square, peg::list_must<row, semicolon>, close_square>, marked<Kind::array> {};
struct primary : peg::sor<number, text, reference, paren, array> {};

struct transpose : peg::seq<peg::one<'\''>, blank>, marked<Kind::transpose> {};
struct slice_end : peg::if_must<dots, expression>, marked<Kind::slice> {};
struct index_part : peg::seq<expression, peg::opt<slice_end>> {};
struct index : peg::if_must<open_square, peg::list_must<index_part, comma>, close_square>, marked<Kind::index> {};
struct postfix : peg::sor<transpose, index> {};

struct prefix_letters : peg::sor<peg::one<'-', '+'>, word_not>, marked<Kind::prefix_operator> {};
struct prefix : peg::seq<prefix_letters, blank> {};
struct operand_after_prefix : primary {};
/// The longest sign first; `->` and `..` end an expression.
struct infix_letters
    : peg::sor<TAO_PEGTL_STRING("=>"), word_implies, word_and, word_or, TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="),
               TAO_PEGTL_STRING("=="), TAO_PEGTL_STRING("!="), TAO_PEGTL_STRING("<>"), TAO_PEGTL_STRING(".*"),
               TAO_PEGTL_STRING("./"), TAO_PEGTL_STRING(".^"), TAO_PEGTL_STRING("**"),
               peg::seq<peg::one<'-'>, peg::not_at<peg::one<'>'>>>, peg::one<'<', '>', '=', '*', '/', '^', '+', '@'>>,
      marked<Kind::infix_operator> {};
struct infix : peg::seq<infix_letters, blank> {};
struct operand
    : peg::seq<peg::sor<peg::seq<peg::plus<prefix>, peg::must<operand_after_prefix>>, primary>, peg::star<postfix>> {};
struct next_operand : operand {};
struct expression : peg::seq<operand, peg::star<infix, peg::must<next_operand>>>, marked<Kind::expression> {};

// ---- sets and laws
// ----------------------------------------------------------------------------------------------------
/// R^(m, n) or R^n: after ^ a name, a number, a call or a bracket.
struct extent : peg::seq<peg::sor<number, reference, paren>>, marked<Kind::expression> {};
struct extent_list : peg::if_must<open_paren, expressions, close_paren> {};
struct extents : peg::if_must<sign<'^'>, peg::sor<extent_list, extent>>, marked<Kind::extents> {};
struct finite_set : peg::if_must<sign<'{'>, expressions, close_brace, peg::opt<extents>>, marked<Kind::finite_set> {};
struct interval_open : peg::one<'(', '['>, marked<Kind::interval_end> {};
struct interval_close : peg::one<')', ']'>, marked<Kind::interval_end> {};
struct interval_end : peg::seq<interval_close, blank> {};
struct interval
    : peg::seq<interval_open, blank, expression, comma, peg::must<expression, interval_end>, peg::opt<extents>>,
      marked<Kind::interval> {};
struct named_set : peg::seq<name, peg::opt<arguments>, peg::opt<extents>,
                            peg::at<peg::sor<peg::one<',', ':', ')', ']', '}', '#'>, any_keyword, peg::eof>>>,
                   marked<Kind::named_set> {};
struct set_dots : dots {};
struct range_set : peg::seq<expression, peg::must<set_dots, expression>>, marked<Kind::range_set> {};
struct set : peg::sor<finite_set, interval, named_set, range_set> {};
struct law : peg::seq<name, peg::opt<arguments>, peg::opt<extents>>, marked<Kind::law> {};

// ---- statements
// -------------------------------------------------------------------------------------------------------
struct parameters : peg::if_must<open_paren, names, close_paren>, marked<Kind::parameters> {};
struct definition_equals : equals {};
struct definition : peg::seq<name, peg::opt<parameters>, peg::must<definition_equals, expression>>,
                    marked<Kind::definition> {};
struct let : peg::if_must<kw_let, peg::list_must<definition, comma>>, marked<Kind::let> {};

/// A comma goes on to the next binder where names and `in` follow.
struct next_condition : peg::seq<peg::not_at<comma, names_and_in>, comma, peg::must<expression>> {};
struct conditions : peg::seq<expression, peg::star<next_condition>>, marked<Kind::conditions> {};
struct binder_in : kw_in {};
/// A second `where` adds to the first.
struct binder : peg::seq<names, peg::must<binder_in, set>, peg::star<peg::if_must<kw_where, conditions>>>,
                marked<Kind::binder> {};
struct binders : peg::list_must<binder, comma> {};
struct forall : peg::if_must<kw_forall, binders>, marked<Kind::forall> {};
struct exists : peg::if_must<kw_exists, binders>, marked<Kind::exists> {};
struct tilde : sign<'~'> {};
struct random_binder : peg::seq<names, peg::must<tilde, law>>, marked<Kind::binder> {};
struct random : peg::if_must<kw_random, peg::list_must<random_binder, comma>>, marked<Kind::random> {};
struct best : peg::if_must<kw_best, name, binder_in, set>, marked<Kind::best> {};
struct limit : peg::if_must<kw_limit, name, arrow, expression>, marked<Kind::limit> {};

struct prefix_end : peg::sor<colon, peg::at<any_prefix>> {};
struct statement_prefix : peg::seq<peg::sor<let, forall, exists, random, best, limit>, peg::must<prefix_end>> {};
struct claim : peg::seq<expression>, marked<Kind::claim> {};
struct tail : peg::if_must<kw_where, expressions>, marked<Kind::tail> {};
struct end_of_statement : peg::eof {};
struct end_of_expression : peg::eof {};
struct whole_statement
    : peg::seq<blank, peg::star<statement_prefix>, peg::must<claim>, peg::star<tail>, peg::must<end_of_statement>> {};
struct whole_expression : peg::seq<blank, peg::must<expression, end_of_expression>> {};

}  // namespace attest::language::grammar
