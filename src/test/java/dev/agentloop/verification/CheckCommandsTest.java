package dev.agentloop.verification;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "./gradlew check",
                "timeout 60 npx tsc --noEmit",
                "uv run pytest tests/test_a.py::test_b",
                "CI=1 npm run lint:fix",
                "python3 -m unittest -v",
                "python manage.py test app",
                "python3 tests/test_a.py",
                "cargo clippy --all",
                "go vet ./...",
                "make -j4",
                "bash -n run.sh",
                "node --check a.js",
                "./run_tests.sh fast",
                "scripts/check --quick",
                "bundle exec rspec spec/a_spec.rb",
                "gcc -Wall -c a.c",
                "docker version && dotnet build",
                "# let's run the tests\npytest -q",
                "x=$((1<<2))\npytest -q",
                "echo 'a << b'\npytest -q",
                "bash <<'EOF'\npytest -q\nEOF",
                "make -C ${DIR} test",
                "cmake --build build -j`nproc`",
                "pnpm --filter shop test",
                "yarn workspace shop run test",
                "npm run test:unit -- --watch=false",
                "mvn -q -pl core test",
                "./gradlew clean testClasses",
                "./gradlew spotlessCheck",
                "cargo fmt --check",
                "npx prettier --check .",
                "bash scripts/smoke-test.sh",
                "./smoketest",
                "dotnet test tests/Shop.csproj",
            })
    void testsBuildsAndLintersAreChecks(String line) {
        assertTrue(CheckCommands.USUAL.in(line).isPresent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls -la",
                "command -v pytest",
                "/usr/bin/test -f x",
                "python3 main.py",
                "git status",
                "npm install",
                "make clean",
                "cat test.py",
                "pytest --version",
                "echo 'npm test'",
                "go run .",
                "grep -rn test src",
                "mvn dependency:tree",
                "pytest --collect-only -q",
                "make -n test",
                "make -kn",
                "go help test",
                "npx jest --listTests",
                "cargo test -- --list",
                "cat > run.sh <<'EOF'\npytest -q\nEOF",
                "bash -c 'ls tests'",
                "ls # then; pytest -q",
                "x=$((1<<2)); echo $x",
                "gofmt -w .",
                "ruff format .",
                "gcc -v",
                "cmake --build . --target clean",
                "dotnet add package Microsoft.NET.Test.Sdk",
                "dotnet sln add tests/X.csproj",
                "cargo add tokio-test",
                "npm view react@latest version",
                "npm pkg set scripts.test=jest",
                "npm ls eslint",
                "./scripts/latest.sh",
                "./scripts/checkout.sh",
                "bash deploy-to-test.sh",
                "python tools/rename.py tests/test_shop.py",
                "python generate_tests.py",
                "gradle dependencies --configuration testRuntimeClasspath",
                "mvn clean -Dmaven.test.skip=true",
                "./gradlew clean -x test",
                "rake -T test",
                "bazel query 'tests(//...)'",
                "pytest --cache-show",
                "ninja clean",
                "jest --clearCache",
                "pre-commit install-hooks",
                "tsc --build --clean",
                "ctest --show-only=json-v1",
                "tox --notest",
                "clang -dumpversion",
            })
    void otherCommandsAreNone(String line) {
        assertTrue(CheckCommands.USUAL.in(line).isEmpty());
    }
}
