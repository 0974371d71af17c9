"""What all widgets share: options are checked, and no exception is lost."""

from __future__ import annotations

import difflib
import threading
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import anywidget
import traitlets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NO_TROUBLE = {"summary": "", "details": ""}


class BaseWidget(anywidget.AnyWidget):
    """A widget that refuses unknown options, and shows exceptions from its callbacks instead of losing them.

    A message from the page is a mapping with a ``kind``; the method ``_on_KIND`` answers it and gets the other entries
    as keyword arguments.

    Parameters
    ----------
    options
        What the user asked for; only the names in `OPTIONS` are accepted.
    state
        First values of further traits.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("layout",)
    """names of the options that the constructor takes"""

    trouble = traitlets.Dict(_NO_TROUBLE).tag(sync=True)
    """what went wrong while Python answered the page: ``summary`` and ``details``"""

    def __init__(self, options: Mapping[str, Any], **state: Any) -> None:
        self._check_options(options)
        super().__init__(**state, **options)

    def __repr__(self) -> str:
        """The class alone: a widget's traits are too long to read."""
        return f"<{type(self).__name__}>"

    def _check_options(self, options: Mapping[str, Any]) -> None:
        """Raise where an option is unknown; traitlets would swallow it."""
        for name in options:
            if name not in self.OPTIONS:
                similar = difflib.get_close_matches(name, self.OPTIONS, n=1)
                hint = f"; did you mean {similar[0]!r}?" if similar else ""
                message = f"expected options out of {', '.join(self.OPTIONS)}; found {name!r}{hint}"
                raise TypeError(message)

    # --- answering the page -------------------------------------------------------------------------------------

    def _handle_custom_msg(self, content: dict[str, Any], _buffers: list[memoryview]) -> None:
        """Answer a message; called by ipywidgets."""
        arguments = dict(content)
        try:
            self._answer(arguments.pop("kind", ""), arguments)
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)

    def _answer(self, kind: str, arguments: dict[str, Any]) -> None:
        """Call the method for a kind of message."""
        method = getattr(self, f"_on_{kind}", None)
        if method is None:
            message = f"expected a message that {type(self).__name__} understands, found kind {kind!r}"
            raise ValueError(message)
        method(**arguments)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take traits that the page changed; called by ipywidgets."""
        try:
            super().set_state(sync_data)
        except Exception as error:  # noqa: BLE001  whatever it is, the reader sees it
            self.show_exception(error)
            self.send_state(list(sync_data))

    def show_exception(self, error: Exception) -> None:
        """Show an exception under the widget.

        Parameters
        ----------
        error
            What was raised.
        """
        summary = "".join(traceback.format_exception_only(error)).strip()
        self.trouble = {"summary": summary, "details": "".join(traceback.format_exception(error))}

    def _on_dismiss(self) -> None:
        """The reader has seen it."""
        self.trouble = dict(_NO_TROUBLE)


class SearchWidget(BaseWidget):
    """A widget that shows searches, which may tell it from another thread that they went on."""

    def __init__(self, options: Mapping[str, Any], **state: Any) -> None:
        self._guard = threading.RLock()
        self._is_publishing = False
        super().__init__(options, **state)

    @contextmanager
    def _publishing(self) -> Iterator[None]:
        """Let traits be set without acting on them, and the page hear of them all at once."""
        with self._guard:
            self._is_publishing = True
            try:
                with self.hold_sync():
                    yield
            finally:
                self._is_publishing = False
