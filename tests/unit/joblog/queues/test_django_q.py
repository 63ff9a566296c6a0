def task(number, success=True):
    return {
        "id": f"ab{number}",
        "func": "app.tasks.mail",
        "group": None,
        "started": "2026-03-01 10:00:00.5",
        "stopped": "2026-03-01 10:00:09.5",
        "success": success,
        "attempt_count": 1,
    }


def test_what_the_table_calls_a_start_is_the_submission(log_of, reasons):
    log = log_of(django_q_task=[task(1), task(2, success=0), task(3, success="t")])
    assert list(log.jobs["outcome"]) == ["completed", "failed", "completed"]
    assert log.jobs[["start_s", "run_s"]].isna().all(axis=None)
    assert any("no start is kept" in reason for reason in reasons(log))
