"""jobsim policies and jobsim explain."""

import json

from jobsim.policies.registry import POLICIES
from tests.unit.cli.conftest import Jobsim


def test_every_policy_is_listed_with_its_parameters_and_needs(jobsim: Jobsim) -> None:
    listed = json.loads(jobsim("policies", "--json").stdout)
    assert [one["name"] for one in listed] == [policy.name for policy in POLICIES]
    assert {tuple(one) for one in listed} == {("name", "family", "summary", "parameters", "needs")}


def test_policies_are_listed_for_people(jobsim: Jobsim) -> None:
    shown = jobsim("policies").stdout
    assert all(policy.name in shown for policy in POLICIES)
    assert "queue.batch = 1" in shown


def test_a_policy_is_explained_by_labelled_steps_with_their_sql(jobsim: Jobsim) -> None:
    shown = jobsim("explain", "skip-locked", "--ddl").stdout
    assert "worker:" in shown
    assert "FOR UPDATE SKIP LOCKED" in shown
    assert "CREATE TABLE" in shown


def test_an_explanation_can_be_read_by_programs(jobsim: Jobsim) -> None:
    steps = json.loads(jobsim("explain", "taken-flag", "--dialect", "mysql", "--json").stdout)
    assert [s["label"] for s in steps if s["part"] == "worker"][:3] == ["connect", "select", "mark"]
