"""Errors of the interface, and of what the browser answers."""
import re


# Where scripts of ours say that they are from, whose frames say nothing of the code.
OWN = 'trawl-own'


class Error(Exception):
    # Told without a module, which nobody could import.
    __module__ = 'builtins'

    @property
    def message(self):
        return str(self)


class TimeoutError(Error):
    __module__ = 'builtins'


def is_gone(error):
    """Whether a call failed only because its document was replaced."""
    return bool(re.search(r'Cannot find context|Execution context was destroyed|Cannot find default execution context|Inspected target navigated|uniqueContextId not found|Could not find object', str(error)))


def value_of(answer):
    """The value of a script; Error when it threw."""
    if 'exceptionDetails' in answer:
        thrown = answer['exceptionDetails'].get('exception', {})
        text = str(thrown.get('description') or thrown.get('value') or answer['exceptionDetails'].get('text'))
        raise Error(re.sub(rf'\n\s+at [^\n]*\b{OWN}\b[^\n]*', '', text))
    one = answer['result']
    if 'unserializableValue' in one:
        text = one['unserializableValue']
        return int(text[:-1]) if text.endswith('n') else float(text.replace('Infinity', 'inf'))
    return one.get('value')
