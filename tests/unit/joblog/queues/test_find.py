from jobsim.joblog.queues.find import find
from jobsim.joblog.queues.system import Part
from jobsim.joblog.queues.systems import SYSTEMS

ACTIONS = ("action_id", "hook", "status", "scheduled_date_gmt", "args")
LOGS = ("log_id", "action_id", "message", "log_date_gmt")


def test_each_system_has_a_name_of_its_own_and_finds_itself():
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)
    for system in SYSTEMS:
        tables = {part.ends or "job": tuple(part.needs) for part in system.parts.values()}
        assert system.name in [found.system.name for found in find(tables)]


def test_a_table_of_the_right_name_with_other_columns_is_none():
    assert find({"jobs": ("id", "title", "salary"), "task_instance": ("id",)}) == []


def test_tables_with_one_prefix_belong_together():
    tables = {
        "wp_actionscheduler_actions": ACTIONS,
        "wp_actionscheduler_logs": LOGS,
        "wp_2_actionscheduler_actions": ACTIONS,
    }
    one, two = find(tables)
    assert one.all_tables == ("wp_actionscheduler_actions", "wp_actionscheduler_logs")
    assert two.all_tables == ("wp_2_actionscheduler_actions",)


def test_companions_without_the_foremost_table_are_no_system():
    assert find({"wp_actionscheduler_logs": LOGS}) == []


def test_a_system_answers_to_its_name_and_to_its_tables_with_or_without_schema():
    (found,) = find({"shop.actionscheduler_actions": ACTIONS})
    assert found.answers_to("action-scheduler")
    assert found.answers_to("ActionScheduler_actions")
    assert not found.answers_to("oban")


def test_columns_are_known_in_any_case_and_without_underscores():
    part = Part.of("job", "createdat", "retry_count")
    assert [part.key(name) for name in ("CreatedAt", "created_at", "Retry_Count")] == [
        "createdat",
        "createdat",
        "retry_count",
    ]
    assert part.key("data") is None


def test_a_table_is_one_part_only_and_the_named_one_is_foremost():
    columns = [
        "id",
        "name",
        "state",
        "created_on",
        "start_after",
        "started_on",
        "completed_on",
        "retry_count",
    ]
    tables = {f"pgboss.{name}": tuple(columns) for name in ("archive", "j0a1", "job")}
    (found,) = find(tables)
    assert found.tables == {
        "jobs": ("pgboss.job",),
        "others": ("pgboss.archive", "pgboss.j0a1"),
    }
