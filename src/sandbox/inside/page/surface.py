"""What the interface has not is refused by name."""
import functools
import inspect

NAMELESS = inspect.CO_VARKEYWORDS


class Surface:
    """What is not known is said by name. An option that is None is one that is not given."""

    def __init_subclass__(cls):
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and not name.startswith('_') and (method.__kwdefaults__ or method.__code__.co_flags & NAMELESS):
                setattr(cls, name, _without_none(method))

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        raise NotImplementedError(f'{type(self).__name__}.{name} is not available here; code in node has the whole interface of Playwright.')


def _without_none(method):
    arguments = method.__code__.co_varnames[:method.__code__.co_argcount]

    @functools.wraps(method)
    def called(*given, **options):
        return method(*given, **{name: value for name, value in options.items() if value is not None or name in arguments})

    return called


def text(value, what):
    if not isinstance(value, str):
        raise TypeError(f'{what}: expected a text, got {type(value).__name__}')
    return value


def refuse_options(what, others):
    for name in others:
        raise NotImplementedError(f'The option {name} of {what} is not available here.')
