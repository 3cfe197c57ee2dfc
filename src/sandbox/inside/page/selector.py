import json
import re

PSEUDO = re.compile(r'''^(?P<css>.*?):(?P<name>has-text|text|text-is)\(\s*(?P<quote>["'])(?P<text>.*)(?P=quote)\s*\)$''', re.S)


def parts_of(selector):
    """The parts of a selector of Playwright; Error for engines that are not here."""
    parts = []
    for piece in re.split(r'\s*>>\s*', selector.strip()):
        engine, _, rest = piece.partition('=')
        if re.fullmatch(r'[\w-]+', engine) and engine in ('css', 'text', 'xpath', 'id', 'data-testid', 'nth', 'visible'):
            parts.append(engine_part(engine, rest))
        elif re.fullmatch(r'(role|internal:[\w-]+|_react|_vue|data-test|data-test-id)', engine) and rest:
            raise NotImplementedError(f'The selector engine "{engine}" is not available here.')
        elif piece.startswith('//') or piece.startswith('..') or piece.startswith('(//'):
            parts.append({'kind': 'xpath', 'value': piece})
        elif len(piece) > 1 and piece[0] in '"\'' and piece[-1] == piece[0]:
            parts.append({'kind': 'text', 'value': piece[1:-1], 'exact': True})
        else:
            parts += css_parts(piece)
    return parts


def engine_part(engine, rest):
    if engine == 'text':
        quoted = len(rest) > 1 and rest[0] in '"\'' and rest[-1] == rest[0]
        return {'kind': 'text', 'value': rest[1:-1] if quoted else rest, 'exact': quoted}
    if engine == 'nth':
        return {'kind': 'nth', 'value': int(rest)}
    if engine == 'visible':
        return {'kind': 'visible'}
    if engine in ('id', 'data-testid'):
        return {'kind': 'css', 'value': f'[{engine}={json.dumps(rest)}]'}
    return {'kind': engine, 'value': rest}


def css_parts(css):
    if css.endswith(':visible'):
        return css_parts(css[: -len(':visible')] or '*') + [{'kind': 'visible'}]
    found = PSEUDO.match(css)
    if found and found['name'] == 'has-text':
        return [{'kind': 'css', 'value': found['css'] or '*'}, {'kind': 'hasText', 'value': found['text']}]
    odd = re.search(r':(has-text|text|text-is|text-matches|visible|nth-match|right-of|left-of|above|below|near)\b', css)
    if odd:
        raise NotImplementedError(f'":{odd[1]}" at this place of a selector is not available here.')
    return [{'kind': 'css', 'value': css}]
