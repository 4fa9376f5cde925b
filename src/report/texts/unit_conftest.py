"""Options of the tests of rules."""

from pytest import fixture


def pytest_addoption(parser):
    parser.addoption("--conda-prefix", action="store", default=None)


@fixture()
def conda_prefix(request):
    prefix = request.config.option.conda_prefix
    return ["--conda-prefix", prefix] if prefix else []
