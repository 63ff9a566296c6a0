"""Statements as successive looks show them."""

from __future__ import annotations

from jobsim.record.statements import Statement, Statements, log_of

NOON_S = 1_796_040_000.0


def shown(
    session: int, query: int, start_s: float, last_s: float, text: str = "SELECT 1 FROM t"
) -> Statement:
    return Statement(session, query, "app", NOON_S + start_s, NOON_S + last_s, text)


def test_a_statement_runs_from_its_first_start_until_it_was_last_seen() -> None:
    seen = Statements()
    for now_s in (1.0, 2.0, 3.0):
        seen.see([shown(7, 70, 0.5 + now_s / 100, now_s)])
    seen.see([])
    log = log_of(seen, name="p", source="server", every_s=1.0, more="little")
    (job,) = log.jobs.to_dict("records")
    assert job["submit_s"] == 0
    assert abs(job["run_s"] - 2.49) < 1e-6
    assert (job["kind"], job["owner"]) == ("select t", "app")


def test_the_next_statement_of_a_session_is_another_one() -> None:
    seen = Statements()
    seen.see([shown(7, 70, 0, 1)])
    seen.see([shown(7, 71, 1, 2)])
    assert [one.query for one in seen.over] == [70]


def test_where_statements_have_no_number_text_and_start_tell_them_apart() -> None:
    seen = Statements()
    seen.see([shown(7, 0, 0, 1)])
    seen.see([shown(7, 0, 1, 2)])
    assert seen.over == [], "ages in whole seconds make the start jump by one"
    seen.see([shown(7, 0, 3, 3)])
    assert len(seen.over) == 1
    seen.see([shown(7, 0, 3, 4, "SELECT 2 FROM u")])
    assert len(seen.over) == 2


def test_what_is_under_way_at_the_end_has_no_run_time() -> None:
    seen = Statements()
    seen.see([shown(1, 1, 0, 5)])
    log = log_of(seen, name="p", source="server", every_s=1.0, more="little")
    assert log.jobs["run_s"].isna().all()
    assert any("under way when the watch ended" in note.reason for note in log.notes)
