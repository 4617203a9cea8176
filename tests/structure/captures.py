"""Names of a structured binding that a lambda captures: clang before 16 refuses such a file, and with it the build for libFuzzer."""
import re

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
ASIDE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'')
BINDING = re.compile(r"\bauto\s*&{0,2}\s*\[([\w\s,]+)\]")
LAMBDA = re.compile(r"(?<![\w\])])\[([^\[\]]*)\]\s*(\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*"
                    r"(?:mutable|noexcept|->\s*[\w:<>&* ]+)?\s*\{")


def blanked(match):
    return re.sub(r"[^\n]", " ", match[0])


def end_of(text, start, until):
    """Where the character `until` closes or ends what begins at `start`, or the block around it does."""
    depth = 0
    for at in range(start, len(text)):
        if depth == 0 and text[at] in until:
            return at
        depth += (text[at] in "({[") - (text[at] in ")}]")
        if depth < 0:
            return at
    return len(text)


def scope_of(text, binding):
    """Where the names of the binding are seen: the statement of its loop, else the rest of its block."""
    if not re.search(r"\(\s*(?:const\s*)?$", text[:binding.start()]):
        return text[binding.end():end_of(text, binding.end(), "")]
    body = re.compile(r"\)\s*").match(text, end_of(text, binding.end(), ")")).end()
    return text[binding.end():end_of(text, body + 1, "}") if text[body] == "{" else end_of(text, body, ";")]


def captures(name, found, body):
    """Whether the lambda uses the name as it stands outside: neither a capture, a parameter nor a variable of its own."""
    if re.search(rf"\b{name}\s*=", found[1]):
        return False
    if re.search(rf"(?:[\w>\]]\s+|[&*]\s*){name}\b\s*[,)=]", found[2] or ""):
        return False
    if re.search(rf"\bauto[&\s]*(?:\[[^\]]*\b{name}\b|{name}\b)", body):
        return False
    return re.search(rf"(?<![\w.>:]){name}\b", body) is not None


def captured_names(text):
    """Line and name of each."""
    text = ASIDE.sub(blanked, RAW_STRING.sub(blanked, text))
    for binding in BINDING.finditer(text):
        scope = scope_of(text, binding)
        for found in LAMBDA.finditer(scope):
            body = scope[found.end():end_of(scope, found.end(), "}")]
            for name in re.findall(r"\w+", binding[1]):
                if captures(name, found, body):
                    yield text.count("\n", 0, binding.end() + found.start()) + 1, name
