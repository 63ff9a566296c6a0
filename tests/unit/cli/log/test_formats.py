"""jobsim log formats."""

import json

from jobsim.joblog.readers import READERS
from tests.unit.cli.conftest import Jobsim


def test_every_format_is_listed_with_the_options_that_it_takes(jobsim: Jobsim) -> None:
    rows = json.loads(jobsim("log", "formats", "--json").stdout)
    assert [row["name"] for row in rows] == [reader.name for reader in READERS]
    options = {row["name"]: row["options"] for row in rows}
    assert "--map" in options["table"]
    assert options["crontab"] == ["--for", "--from", "--zone"]
    assert all(reader.name in jobsim("log", "formats").stdout for reader in READERS)
