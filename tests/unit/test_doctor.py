"""What the doctor finds, and what it prescribes."""

import io
from importlib import metadata

import pytest
from rich.console import Console

from jobsim import doctor
from jobsim.doctor import Finding, doctor_table, examine


def found(what: str) -> Finding:
    return next(finding for finding in examine() if finding.what == what)


def test_the_machine_that_runs_the_tests_has_what_is_needed():
    assert [finding for finding in examine() if finding.status == "missing"] == []


def test_every_package_is_named_with_its_version():
    assert found("pandas") == Finding("pandas", "ok", metadata.version("pandas"))


def test_packages_for_developers_are_not_asked_for():
    assert "ruff" not in {finding.what for finding in examine()}


def test_a_missing_package_is_mended_by_set_up(monkeypatch):
    def version(name: str) -> str:
        if name == "simpy":
            raise metadata.PackageNotFoundError(name)
        return real(name)

    real = metadata.version
    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    simpy = found("simpy")
    assert (simpy.status, simpy.mend) == ("missing", "make setup")


def test_a_package_that_is_too_old_says_what_is_needed(monkeypatch):
    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "1.5" if name == "pandas" else real(name))
    pandas = found("pandas")
    assert pandas.status == "missing"
    assert pandas.found == "1.5, needs >=3.0"


def test_in_a_conda_environment_conda_mends(monkeypatch):
    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0" if name == "rich" else real(name))
    monkeypatch.setenv("CONDA_PREFIX", "/opt/conda")
    assert found("rich").mend == "conda env update -f environment.yml"


def test_a_project_that_was_never_installed_is_told_to_set_up(monkeypatch):
    monkeypatch.setattr(doctor, "DISTRIBUTION", "no-such-distribution")
    assert found("no-such-distribution").mend == "make setup"


def test_without_a_server_the_command_that_installs_one_is_named(monkeypatch):
    monkeypatch.setattr(doctor, "find_servers", lambda: iter(()))
    monkeypatch.setattr(doctor, "install_command", lambda: "brew install mariadb")
    server = found("database server")
    assert (server.status, server.mend) == ("missing", "brew install mariadb")


def test_a_browser_is_optional(monkeypatch):
    monkeypatch.setattr(doctor, "BROWSERS", ("no-such-browser",))
    browser = found("browser")
    assert browser.status == "optional"
    assert browser.mend.endswith("chromium")


def test_a_cache_folder_that_cannot_be_made_is_found(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache = found("cache folder")
    assert cache.status == "missing"
    assert cache.mend.startswith("export XDG_CACHE_HOME=")


def test_looking_makes_no_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new"))
    assert found("cache folder").status == "ok"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("what", ["temporary folder", "memory"])
def test_too_little_room_is_found(monkeypatch, what):
    monkeypatch.setattr(doctor, "SERVER_GB", 1e9)
    assert found(what).status == "missing"


def test_the_table_has_a_row_for_each_finding_with_its_mend():
    findings = [Finding("python", "ok", "3.13"), Finding("pandas", "missing", "1", "make setup")]
    console = Console(file=io.StringIO(), width=100)
    console.print(doctor_table(findings))
    rows = console.file.getvalue().splitlines()
    assert [row.split() for row in rows[1:]] == [
        ["ok", "python", "3.13"],
        ["missing", "pandas", "1", "make", "setup"],
    ]
