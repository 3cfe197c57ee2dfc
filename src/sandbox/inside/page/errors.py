"""Errors of the interface, and of what the browser answers."""
import re


class Error(Exception):
    # Told without a module, which nobody could import.
    __module__ = 'builtins'


class TimeoutError(Error):
    __module__ = 'builtins'


def is_gone(error):
    """Whether a call failed only because its document was replaced."""
    return bool(re.search(r'Cannot find context|Execution context was destroyed|Cannot find default execution context|Inspected target navigated|uniqueContextId not found|Could not find object', str(error)))


def value_of(answer):
    """The value of a script; Error when it threw."""
    if 'exceptionDetails' in answer:
        thrown = answer['exceptionDetails'].get('exception', {})
        raise Error(str(thrown.get('description') or thrown.get('value') or answer['exceptionDetails'].get('text')))
    one = answer['result']
    if 'unserializableValue' in one:
        text = one['unserializableValue']
        return int(text[:-1]) if text.endswith('n') else float(text.replace('Infinity', 'inf'))
    return one.get('value')
