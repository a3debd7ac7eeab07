"""Sites that answer every path alike: a route that looks like a path that cannot exist was not seen.

When the server answers a made-up path with success, that path is visited too, as a control.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.judge import Judgement, RouteCause
from codevetter_verify.domain.plan import ENTRY

if TYPE_CHECKING:
    from codevetter_verify.domain.observation import Observation


def control_route(run_id: str) -> str:
    """A path that no site has."""
    return f"/codevetter-control-{run_id[-12:]}"


def compare(seen: Observation, judgement: Judgement, control: Observation) -> Judgement:
    """The judgement of a route in the light of the control's page."""
    if seen.route == ENTRY or judgement.outcome != "passed" or _looks(seen) != _looks(control):
        return judgement
    reason = "the page looks like that of a path that does not exist: the site answers every path alike"
    return Judgement("inconclusive", (), judgement.limitations, RouteCause.INDISTINGUISHABLE, reason)


def _looks(seen: Observation) -> tuple[str, str] | None:
    """What a visitor reads; a path that a page repeats does not make two pages different."""
    if seen.state is None:
        return None
    text = " ".join(seen.state.text.replace(seen.route, "/").split())
    return seen.state.title.replace(seen.route, "/"), text
