import pytest

from jobsim.errors import LogError
from jobsim.joblog.queues import looks_like_airflow_csv, read_airflow_csv

TASKS = "task_id,dag_id,run_id,start_date,end_date,duration,state,try_number,hostname,queued_dttm"
RUNS = "id,dag_id,run_id,run_type,state,queued_at,start_date,end_date"
DAY = "2026-03-01 10:00"


def test_an_export_of_task_instances_is_read(file):
    path = file(
        "tasks.csv",
        TASKS,
        f"load,etl,r1,{DAY}:02.5,{DAY}:04.5,2.0,success,1,host1,{DAY}:01.5",
        f"mail,etl,r1,{DAY}:05,{DAY}:05,\\N,skipped,0,,\\N",
        f'"q,1",etl,r1,\\N,\\N,\\N,\\N,0,,{DAY}:06',
    )
    log = read_airflow_csv(path)
    assert list(log.jobs["kind"]) == ["etl.load", "etl.q,1"]
    assert list(log.jobs["run_s"].fillna(-1)) == [2, -1]
    assert log.name == "tasks"


def test_an_export_of_dag_runs_is_read(file):
    path = file("runs.csv.gz", RUNS, f"1,etl,r1,manual,success,{DAY}:00,{DAY}:01,{DAY}:09")
    assert list(read_airflow_csv(path).jobs["run_s"]) == [8]


def test_lines_with_other_cells_are_all_listed(file):
    with pytest.raises(LogError) as caught:
        read_airflow_csv(file("runs.csv", RUNS, "1,2", f"1,e,r,m,success,{DAY},,", "3"))
    assert [fault.line for fault in caught.value.faults] == [2, 4]


def test_a_quote_without_its_pair_is_a_fault(file):
    with pytest.raises(LogError, match=r"runs\.csv:2: this is not CSV"):
        read_airflow_csv(file("runs.csv", RUNS, '"x'))


def test_a_header_alone_is_refused(file):
    with pytest.raises(LogError, match="it has no rows"):
        read_airflow_csv(file("runs.csv", RUNS))


def test_another_header_is_refused(file):
    path = file("other.csv", "a,b")
    assert not looks_like_airflow_csv(path.read_bytes())
    with pytest.raises(LogError, match="no table of Airflow"):
        read_airflow_csv(path)


@pytest.mark.parametrize("header", [TASKS, RUNS, RUNS.replace(",", '","').join('""')])
def test_both_headers_are_known(header):
    assert looks_like_airflow_csv(header.encode() + b"\r\n1,2")
