"""A Jupyter server extension that sends what a kernel says at once.

Without it small messages wait up to 40 ms for the browser to acknowledge the last one (Nagle's algorithm), which is
what one feels between a key and the board. `sokoviz lab` switches it on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Tell Jupyter where the extension is."""
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Make every kernel connection of this server switch TCP_NODELAY on when it connects."""
    base = server.web_app.settings["kernel_websocket_connection_class"]

    class PromptConnection(base):  # type: ignore[misc, valid-type]  # the class is known only here
        """The server's own kernel connection, without the wait."""

        async def connect(self) -> None:
            self.websocket_handler.set_nodelay(True)
            await super().connect()

    server.web_app.settings["kernel_websocket_connection_class"] = PromptConnection
