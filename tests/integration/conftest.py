"""What most tests of the whole program begin with: a small codebase, and a home folder that holds nothing yet."""

import pytest
from support.small_workspace import small_workspace


@pytest.fixture
def workspace(tmp_path):
    return small_workspace(tmp_path / "shop")


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"
