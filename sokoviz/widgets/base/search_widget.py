"""What Python and the page share about a search on display."""

from __future__ import annotations

import traitlets

from sokoviz.widgets.base.widget import SearchWidget
from sokoviz.widgets.explorer.details import NO_DETAILS, NO_SOLUTION


class SearchState(SearchWidget):
    """The traits of a search on display: what a reader may set, and what the page draws."""

    iteration = traitlets.Int(0).tag(sync=True)
    """number of complete iterations shown; set it to go there"""

    phase = traitlets.Unicode("").tag(sync=True)
    """phase of the next iteration that is shown, empty between iterations; set it to go there"""

    node = traitlets.Int(0).tag(sync=True)
    """the selected node, whose position is on the board; set it to select another"""

    max_depth = traitlets.Int(0, min=0).tag(sync=True)
    """nodes deeper than this are folded away; 0 for no limit"""

    min_visits = traitlets.Int(0, min=0).tag(sync=True)
    """nodes visited less often are folded away"""

    node_limit = traitlets.Int(400, min=20, max=1000)
    """most nodes drawn"""

    follow = traitlets.Bool(default_value=True).tag(sync=True)
    """whether each step selects the node that it is about; selecting a node by hand ends it"""

    component = traitlets.Bool(default_value=True).tag(sync=True)
    """whether the board shows the squares that the player can reach; only Sokoban has such layers"""

    pushes = traitlets.Bool(default_value=True).tag(sync=True)
    """whether an arrow shows each legal push"""

    matching = traitlets.Bool(default_value=True).tag(sync=True)
    """whether each box is joined with the goal that the reward gives it"""

    about = traitlets.Dict().tag(sync=True)
    tree = traitlets.Dict().tag(sync=True)
    story = traitlets.Dict().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)
    children = traitlets.Dict().tag(sync=True)
    details = traitlets.Dict(NO_DETAILS).tag(sync=True)
    solution = traitlets.Dict(NO_SOLUTION).tag(sync=True)
    record = traitlets.Dict().tag(sync=True)
    charts = traitlets.Dict().tag(sync=True)
    ticks = traitlets.Dict().tag(sync=True)
