import json
import re

from .values import pattern

# What of a selector of ours means more than its sign: strings, what is escaped, brackets, commas, and what CSS has not.
TOKEN = re.compile(r'''"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[\[\](),]|:(?:has-text|text-is|text-matches|text|visible|nth-match|right-of|left-of|above|below|near)(?![\w-])|.''', re.S)
QUOTED = re.compile(r'''\(\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')\s*\)''', re.S)
NARROWING = {':has-text': {'kind': 'hasText'}, ':text': {'kind': 'ownText', 'exact': False}, ':text-is': {'kind': 'ownText', 'exact': True}}


def wanted(text, what):
    """A text, or a regular expression, as `in-page.js` takes it."""
    if isinstance(text, re.Pattern):
        return {'pattern': pattern(text)}
    if not isinstance(text, str):
        raise TypeError(f'{what}: expected a text or a regular expression, got {type(text).__name__}')
    return text


def parts_of(selector):
    """The parts of a selector of Playwright; an error for engines that are not here."""
    if not isinstance(selector, str):
        raise TypeError(f'selector: expected a text, got {type(selector).__name__}')
    parts = []
    for piece in re.split(r'\s*>>\s*', selector.strip()):
        engine, _, rest = piece.partition('=')
        if re.fullmatch(r'[\w-]+', engine) and engine in ('css', 'text', 'xpath', 'id', 'data-testid', 'nth', 'visible'):
            parts += engine_parts(engine, rest)
        elif re.fullmatch(r'(role|internal:[\w-]+|_react|_vue|data-test|data-test-id)', engine) and rest:
            raise NotImplementedError(f'The selector engine "{engine}" is not available here.')
        elif piece.startswith('//') or piece.startswith('..') or piece.startswith('(//'):
            parts.append({'kind': 'xpath', 'value': piece})
        elif len(piece) > 1 and piece[0] in '"\'' and piece[-1] == piece[0]:
            parts.append({'kind': 'text', 'value': piece[1:-1], 'exact': True})
        else:
            parts += css_parts(piece)
    return parts


def engine_parts(engine, rest):
    if engine == 'css':
        return css_parts(rest)
    if engine == 'text':
        found = re.fullmatch(r'/(.+)/([a-z]*)', rest)
        if found:
            return [{'kind': 'text', 'value': {'pattern': [found[1], found[2]]}, 'exact': False}]
        quoted = len(rest) > 1 and rest[0] in '"\'' and rest[-1] == rest[0]
        return [{'kind': 'text', 'value': rest[1:-1] if quoted else rest, 'exact': quoted}]
    if engine == 'nth':
        return [{'kind': 'nth', 'value': int(rest)}]
    if engine == 'visible':
        return [{'kind': 'visible', 'value': rest != 'false'}]
    if engine in ('id', 'data-testid'):
        return [{'kind': 'css', 'value': f'[{engine}={json.dumps(rest)}]'}]
    return [{'kind': engine, 'value': rest}]


def css_parts(css):
    """CSS with the additions of Playwright, each at the end of what it narrows; what is plain CSS stays whole."""
    listed, own, depth, at, begin = [[]], False, 0, 0, 0
    while at < len(css):
        token = TOKEN.match(css, at)[0]
        depth += (token in '[(') - (token in '])')
        if token == ',' and depth == 0:
            listed[-1] += plain_parts(css[begin:at], not listed[-1])
            listed.append([])
            begin = at + 1
        elif len(token) > 1 and token[0] == ':':
            value = QUOTED.match(css, at + len(token))
            if depth > 0 or token != ':visible' and (token not in NARROWING or not value):
                raise NotImplementedError(f'"{token}" at this place of a selector is not available here.')
            listed[-1] += plain_parts(css[begin:at], not listed[-1], before=True)
            if token == ':visible':
                listed[-1].append({'kind': 'visible', 'value': True})
            else:
                listed[-1].append({**NARROWING[token], 'value': re.sub(r'\\(.)', r'\1', value[1][1:-1])})
                token += value[0]
            own, begin = True, at + len(token)
        at += len(token)
    if not own:
        return [{'kind': 'css', 'value': css}]
    listed[-1] += plain_parts(css[begin:], not listed[-1])
    return listed[0] if len(listed) == 1 else [{'kind': 'any', 'parts': listed}]


def plain_parts(css, first, before=False):
    """The part for plain CSS, which begins a selector or goes on behind an addition, and may end before one."""
    if before and not re.search(r'[^\s>+~]$', css):
        css += '*' if first or css else ''
    if css.strip() == '' or first:
        return [{'kind': 'css', 'value': css.strip()}] if css.strip() else []
    found = re.fullmatch(r'\s*(>)\s*(.+)|\s+([^\s>+~].*)', css.rstrip(), re.S)
    if found:
        return [{'kind': 'css', 'value': f':scope > {found[2]}' if found[1] else found[3]}]
    if re.search(r'[\s>+~]', css.strip()):
        raise NotImplementedError(f'"{css.strip()}" at this place of a selector is not available here.')
    return [{'kind': 'is', 'value': css.strip()}]
