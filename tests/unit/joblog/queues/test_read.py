import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog.reading import Reading

ACTION = {
    "action_id": 1,
    "hook": "mail",
    "status": "complete",
    "scheduled_date_gmt": "2026-03-01 10:00:00",
}
RESULT = {
    "id": 1,
    "task_id": "t",
    "status": "SUCCESS",
    "date_created": "2026-03-01 10:00:00",
    "date_done": "2026-03-01 10:00:09",
}
PLAIN = {"came": "2026-03-01 10:00:00", "took": "4.5"}


def test_several_systems_are_asked_about(log_of):
    with pytest.raises(UsageError, match=r"action-scheduler .*django-celery-results.*--table"):
        log_of(wp_actionscheduler_actions=[ACTION], django_celery_results_taskresult=[RESULT])


@pytest.mark.parametrize("said", ["action-scheduler", "wp_actionscheduler_actions"])
def test_the_user_says_which_of_several_systems(log_of, said):
    log = log_of(
        Reading(table=said),
        wp_actionscheduler_actions=[ACTION],
        django_celery_results_taskresult=[RESULT],
    )
    assert log.jobs["kind"][0] == "mail"


def test_several_sites_of_one_system_are_told_apart_by_their_tables(log_of):
    sites = {"wp_actionscheduler_actions": [ACTION], "wp_2_actionscheduler_actions": [ACTION]}
    with pytest.raises(UsageError, match="--table wp_actionscheduler_actions"):
        log_of(**sites)
    assert len(log_of(Reading(table="wp_2_actionscheduler_actions"), **sites)) == 1


def test_without_a_known_system_the_tables_are_listed(log_of):
    with pytest.raises(LogError, match=r"no queue system.*but orders.*--table NAME --map submit="):
        log_of(orders=[PLAIN])


def test_many_tables_are_not_all_listed(log_of):
    with pytest.raises(LogError, match="and 10 more"):
        log_of(**{f"t{number}": [PLAIN] for number in range(40)})


def test_a_plain_table_is_read_as_the_user_says(log_of):
    said = Reading(table="ORDERS", columns={"submit": "came", "run": "took"}, zone="UTC")
    log = log_of(said, orders=[PLAIN], other=[PLAIN])
    assert log.jobs["run_s"][0] == 4.5


def test_with_a_mapping_a_known_table_is_a_plain_one(log_of):
    said = Reading(
        table="django_celery_results_taskresult",
        columns={"submit": "date_created", "end": "date_done", "id": "task_id"},
        zone="UTC",
    )
    assert log_of(said, django_celery_results_taskresult=[RESULT]).jobs["job_id"][0] == "t"


def test_a_mapping_without_a_table_is_for_the_only_one_there(log_of):
    said = Reading(columns={"submit": "came", "run": "took"}, zone="UTC")
    assert len(log_of(said, orders=[PLAIN])) == 1
    with pytest.raises(UsageError, match=r"need --table NAME.*orders, other"):
        log_of(said, orders=[PLAIN], other=[PLAIN])


def test_a_table_that_is_not_there_is_named_with_the_nearest(log_of):
    with pytest.raises(UsageError, match="no table 'order'; did you mean orders"):
        log_of(Reading(table="order"), orders=[PLAIN])


def test_a_zone_moves_times_that_name_none(log_of):
    log = log_of(Reading(zone="Europe/Berlin"), wp_actionscheduler_actions=[ACTION])
    assert log.origin.hour == 9


def test_the_users_words_for_a_status_hold(log_of):
    log = log_of(Reading(outcomes={"complete": "cancelled"}), wp_actionscheduler_actions=[ACTION])
    assert log.jobs["outcome"][0] == "cancelled"


SLOW = {
    "start_time": "2026-03-01 10:00:00.500000",
    "user_host": "shop[shop] @ localhost []",
    "query_time": "00:00:02.250000",
    "lock_time": "00:00:00.000100",
    "sql_text": "SELECT * FROM orders",
    "rows_affected": "0",
    "thread_id": "7",
}


@pytest.mark.parametrize("table", ["slow_log", "slow_log_backup"])
def test_the_servers_own_slow_log_is_known_by_its_columns(log_of, table):
    log = log_of(Reading(table=table, zone="UTC"), **{table: [SLOW, SLOW | {"query_time": None}]})
    (job,) = log.jobs.to_dict("records")
    assert (job["kind"], job["run_s"], job["owner"]) == ("select orders", 2.25, "shop")
    assert any("without a query time" in note.reason for note in log.notes)


def test_with_a_mapping_the_slow_log_is_a_plain_table(log_of):
    said = Reading(table="slow_log", columns={"submit": "start_time", "kind": "thread_id"})
    assert log_of(said, slow_log=[SLOW]).jobs["kind"][0] == "7"


def test_a_slow_log_whose_times_are_none_is_refused_as_such(log_of):
    with pytest.raises(LogError, match="query_time is 'long', not a duration"):
        log_of(Reading(table="slow_log"), slow_log=[SLOW | {"query_time": "long"}])
