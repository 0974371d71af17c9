"""What a page needs to show what episodes say about a position, as plain data: votes, moves, voters and curves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sokoviz.overlays import Arrow, Mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sokoviz.board import Board
    from sokoviz.levels import Level
    from sokoviz.picture import Picture
    from sokoviz.squares import Square
    from sokoviz.widgets.heatmaps.learners import Chance, Episode, Learner, Policy, Stage, Step, Vote

ENDS = ("sources", "targets")
VOTES_A_PAGE = 6
FEWER_VOTES = 4  # of a level that is much wider than high, so that its boxes can still be told apart
WIDE = 1.5


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _pair(square: Square) -> list[int]:
    """A square as JSON."""
    return list(square)


# --- what the widget is about ----------------------------------------------------------------------------------------


def about(learner: Learner) -> dict[str, Any]:
    """Return what is learned, and its stages."""
    level = learner.level
    return {
        "title": learner.name,
        "game": level_name(level),
        "settings": f"seed {learner.options.seed}",
        "n_boxes": len(level.boxes),
        "n_episodes": len(learner.episodes),
        "stages": [stage_entry(stage, len(level.boxes)) for stage in stages_of(learner)],
    }


def stages_of(learner: Learner) -> tuple[Stage, ...]:
    """Return the stages so far, but for a pass through the curriculum that has found nothing yet: it knows nothing."""
    stages = tuple(learner.stages)
    with_episodes = {stage.restart for stage in stages if stage.last > stage.first}
    return tuple(stage for stage in stages if not stage.restart or stage.restart in with_episodes)


def level_name(level: Level) -> str:
    """A level by its place in its collection and its title."""
    return " · ".join(part for part in (level.name, level.title) if part) or "untitled level"


def stage_entry(stage: Stage, n_boxes: int) -> dict[str, Any]:
    """A stage for its slider."""
    again = f"pass {stage.restart + 1}, " if stage.restart else ""
    return {
        "boxes": stage.boxes,
        "first": stage.first,
        "last": stage.last,
        "text": f"{again}{stage.boxes} of {count(n_boxes, 'box', 'boxes')}",
    }


def curves(stages: Sequence[Stage]) -> dict[str, Any]:
    """Return what is known of each stage, for the learning curves; None where a mean has nothing to be taken of."""
    kinds = sorted({boxes for stage in stages for boxes in stage.buffer})
    has_passes = any(stage.restart for stage in stages)
    return {
        "stages": [f"pass {stage.restart + 1}, {stage.boxes}" if has_passes else str(stage.boxes) for stage in stages],
        "passes": [stage.restart + 1 for stage in stages],
        "boards": [stage.boards for stage in stages],
        "solved": [stage.solved for stage in stages],
        "rate": [stage.rate for stage in stages],
        "found_length": [_finite(stage.found_length) for stage in stages],
        "length": [_finite(stage.length) for stage in stages],
        "seconds": [stage.seconds for stage in stages],
        "buffer": [[boxes, [stage.buffer.get(boxes, 0) for stage in stages]] for boxes in kinds],
    }


def _finite(number: float) -> float | None:
    """A number that JSON knows."""
    return number if math.isfinite(number) else None


# --- heatmaps and moves ----------------------------------------------------------------------------------------------


def heat(policy: Policy) -> dict[str, Any]:
    """Return the votes by square, for every square of the floor."""
    floor = sorted(policy.board.level.floor)
    return {
        "squares": [_pair(square) for square in floor],
        "sources": [policy.sources.get(square, 0) for square in floor],
        "targets": [policy.targets.get(square, 0) for square in floor],
        "n_votes": policy.n_votes,
        "n_episodes": len(policy.votes),
        "value": _finite(policy.value),
    }


def move_rows(policy: Policy, most: int | None = None) -> list[dict[str, Any]]:
    """Return the legal moves, the likeliest first."""
    return [_move_row(chance) for chance in policy.moves[:most]]


def _move_row(chance: Chance) -> dict[str, Any]:
    return {
        "name": chance.name,
        "squares": [_pair(chance.source), _pair(chance.target)],
        "side": f"player at {chance.player.name}" if chance.n_sides > 1 else "",
        "probability": chance.probability,
        "votes": chance.votes,
        "winning": chance.is_winning,
    }


def votes_a_page(level: Level) -> int:
    """Return how many votes for a move are shown side by side."""
    return min(VOTES_A_PAGE, FEWER_VOTES) if level.width > WIDE * level.height else VOTES_A_PAGE


def voters(policy: Policy, move: str, page: int) -> dict[str, Any]:
    """Return who voted for a move, a page of them, and why it has its probability.

    Parameters
    ----------
    policy
        What the episodes say.
    move
        Name of a legal move; empty for none.
    page
        Which page, from 0 on; the nearest one that there is.
    """
    if not move:
        return {"move": "", "sentence": "", "n": 0, "filtered": 0, "page": 0, "pages": 0, "a_page": 1, "votes": []}
    chance, explanation = policy.find(move), policy.explain(move)
    votes = explanation.votes
    a_page = votes_a_page(policy.board.level)
    pages = max(1, -(-len(votes) // a_page))
    page = min(max(page, 0), pages - 1)
    shown = votes[page * a_page : (page + 1) * a_page]
    ends = (chance.source, chance.target)
    return {
        "move": move,
        "sentence": str(explanation),
        "n": len(votes),
        "filtered": sum(vote.is_filtered and (vote.source, vote.target) == ends for vote in policy.votes),
        "page": page,
        "pages": pages,
        "a_page": a_page,
        "votes": [_voter(vote, policy.board) for vote in shown],
    }


def _voter(vote: Vote, board: Board) -> dict[str, Any]:
    """One episode's vote, as a small board at its matching state."""
    episode = vote.episode
    state = states_of(episode, episode.moves[: vote.index])[-1]
    return {
        "episode": episode.number,
        "index": vote.index,
        "boxes": episode.stage,
        "overlap": vote.overlap,
        "left": len(episode.moves) - vote.index,
        "picture": _state_picture(state, episode.moves[vote.index], state.boxes & board.boxes).to_json(),
    }


# --- episodes --------------------------------------------------------------------------------------------------------


def states_of(episode: Episode, moves: Sequence[Step]) -> list[Board]:
    """Return the boards before each of an episode's moves, and after the last one; no kernel is needed for that."""
    boards = [episode.subcase.board()]
    for move in moves:
        board = boards[-1].copy()
        board.boxes = board.boxes - {move.source} | {move.target}
        board.player = move.player
        boards.append(board)
    return boards


def _state_picture(board: Board, move: Step | None, shared: Iterable[Square]) -> Picture:
    """A state of an episode: its next move, and the boxes that it shares with the position at hand."""
    marks = [Mark(square, "control") for square in sorted(shared)]
    arrows = [Arrow(move.source, move.target, "now")] if move else []
    return board.picture().with_overlays(*arrows, *marks)


def episode_view(episode: Episode, boxes: frozenset[Square] | None, match: int | None) -> dict[str, Any]:
    """Return an episode as a strip of positions, without detours and as it was found.

    Parameters
    ----------
    episode
        The episode.
    boxes
        Boxes of the position at hand, to be compared with; None where there is no such position.
    match
        The state that suggests a move for that position; None where it is not asked.
    """
    return {
        "number": episode.number,
        "text": str(episode),
        "match": match,
        "optimised": _strip(episode, episode.moves, boxes),
        "found": _strip(episode, episode.found, boxes),
        "is_shortened": len(episode.found) > len(episode.moves),
    }


def _strip(episode: Episode, moves: Sequence[Step], boxes: frozenset[Square] | None) -> list[dict[str, Any]]:
    """All states of an episode, with the move that follows each."""
    following: list[Step | None] = [*moves, None]
    return [
        {
            "picture": _state_picture(board, move, board.boxes & boxes if boxes else ()).to_json(),
            "move": str(move) if move else "",
            "overlap": len(board.boxes & boxes) if boxes is not None else None,
        }
        for board, move in zip(states_of(episode, moves), following, strict=True)
    ]
