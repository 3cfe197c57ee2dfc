"""What code gives to scripts of a page, and gets from them; `values.js` is its other side."""
import datetime
import math
import re

from .errors import Error

# As far as the numbers of a page count by ones.
LARGEST = 2 ** 53


def pattern(value):
    """A regular expression as pages write it: its source and its flags."""
    return [value.pattern, ''.join(letter for flag, letter in ((re.I, 'i'), (re.M, 'm'), (re.S, 's')) if value.flags & flag)]


def packed(value, handles):
    """The value as JSON; elements in it are put into `handles`. Error when a page has nothing like it."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)):
        return value if abs(value) <= LARGEST else {'i': str(value)} if isinstance(value, int) else {'n': str(value).replace('inf', 'Infinity')}
    if isinstance(value, (list, tuple)):
        return {'a': [packed(one, handles) for one in value]}
    if isinstance(value, dict):
        return {'o': [[str(key), packed(one, handles)] for key, one in value.items()]}
    if isinstance(value, datetime.datetime):
        return {'d': value.timestamp() * 1000}
    if isinstance(value, re.Pattern):
        return {'p': pattern(value)}
    if getattr(type(value), '_handle_for_scripts', False):
        handles.append(value)
        return {'h': len(handles) - 1}
    raise Error(f'A value of the type {type(value).__name__} cannot be given to a page.')


def unpacked(told, seen):
    """The value that was told; `seen` are the lists and dicts so far, by their numbers."""
    if not isinstance(told, dict):
        return told
    if 'a' in told:
        seen[told['id']] = made = []
        made.extend(unpacked(one, seen) for one in told['a'])
        return made
    if 'o' in told:
        seen[told['id']] = made = {}
        made.update((key, unpacked(one, seen)) for key, one in told['o'])
        return made
    if 'd' in told:
        return datetime.datetime.fromtimestamp(told['d'] / 1000, datetime.timezone.utc) if told['d'] is not None and math.isfinite(told['d']) else None
    if 'n' in told:
        return float(told['n'].replace('Infinity', 'inf'))
    return int(told['i']) if 'i' in told else seen.get(told['r'])
