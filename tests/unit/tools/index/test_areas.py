from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.areas import AREAS, area_of

EXPECTED = {
    "source": """src/flask/app.py src/flask/testing.py context.go src/bin/bat/main.rs lib/latest.java src/contest.ts
        packages/zod/src/v4/core/parse.ts src/_pytest/config/__init__.py app/models/user.rb src/history.rs src/security.ts
        src/docs.py Sources/App/main.swift src/attest.py build/build.ts index.html api/specification.go""",
    "tests": """tests/test_app.py test_app.py conftest.py src/conftest.py pkg/server_test.go src/app.test.ts src/app.spec.tsx
        src/__tests__/app.js src/test/java/org/AppTest.java lib/UserTest.java lib/UserTests.cs spec/models/user_spec.rb
        testing/test_mark.py e2e/login.ts cypress/support.js fixtures/data.json examples/tutorial/tests/test_auth.py
        benches/parse.rs benchmarks/run.py src/parser_tests.rs tests/README.md runtime-tests/node/index.ts test/app.exs
        jest.config.js vitest.config.ts spec_helper.rb a.bats docs/test_docs.py""",
    "docs": """docs/index.rst README.md README doc/en/how-to.rst CHANGELOG.md LICENSE-MIT docs/conf.py CONTRIBUTING.rst
        examples/README.md docs/tutorial/intro.md notes.txt/readme.ja.txt docs-v3/page.tsx HISTORY""",
    "examples": "examples/app.py example/main.go samples/a.cs demo/index.html src/my-examples/x.ts tutorial/step1.py",
    "generated": "src/generated/api.ts proto/user_pb2.py api/user.pb.go lib/model.g.dart Form.Designer.cs __generated__/q.ts",
    "legacy": "legacy/app.py src/deprecated/api.ts old/main.c",
    "scripts": "scripts/release.py bin/run hack/update.go deploy.sh tools/build.ps1 noxfile.py .devcontainer/create.sh",
    "config": """pyproject.toml package.json .github/workflows/ci.yml Dockerfile Makefile setup.cfg .eslintrc tsconfig.json
        config/routes.rb CMakeLists.txt go.mod vite.config.ts requirements/dev.txt setup.py docker/app.dockerfile""",
}


@pytest.mark.parametrize(
    ("area", "path"), [(area, path) for area, paths in EXPECTED.items() for path in paths.split()]
)
def test_the_path_tells_the_area(area: str, path: str) -> None:
    assert area_of(path) == area


def test_every_area_is_tried() -> None:
    assert set(EXPECTED) == set(AREAS)


@given(st.text())
def test_any_path_has_an_area(path: str) -> None:
    assert area_of(path) in AREAS
