"""What the interface has not is refused by name."""


class Surface:
    """What is not known is said by name."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        raise NotImplementedError(f'{type(self).__name__}.{name} is not available here; code in node has the whole interface of Playwright.')


def text(value, what):
    if not isinstance(value, str):
        raise TypeError(f'{what}: expected a text, got {type(value).__name__}')
    return value


def refuse_options(what, others):
    for name in others:
        raise NotImplementedError(f'The option {name} of {what} is not available here.')
