"""Traces of JavaScript, Go, Rust and Java, and texts that only name places."""

import pytest

from agent.traces import read_report

NODE = """\
/srv/app/src/cart.ts:10
  return price.cents * item.count;
               ^

TypeError: Cannot read properties of undefined (reading 'cents')
    at lineTotal (/srv/app/src/cart.ts:10:16)
    at Array.reduce (<anonymous>)
    at Object.cartTotal [as total] (webpack://shop/./src/cart.ts?1a2b:14:16)
    at async ModuleLoader.import (node:internal/modules/esm/loader:606:24)
    at new Shop (file:///srv/app/src/shop.mjs:3:1)

Node.js v20.20.2
"""
NODE_CAUSE = """\
Error: cannot load
    at load (/app/load.js:4:11) {
  [cause]: SyntaxError: Unexpected end of JSON input
      at JSON.parse (<anonymous>)
      at read (/app/read.js:2:15)
}
"""
JEST = """\
  ● totals › adds tax

    expect(received).toBe(expected) // Object.is equality

    Expected: 12
    Received: 10

      4 | test("adds tax", () => {
    > 5 |   expect(total(10)).toBe(12);
        |                     ^
      6 | });

      at Object.<anonymous> (test/total.test.js:5:21)
"""
VITEST = """\
 FAIL  test/invoice.test.ts > invoices > are named
AssertionError: expected 'a' to be 'b' // Object.is equality

Expected: "b"
Received: "a"

 ❯ nameOf src/invoice.ts:4:9
      3|   const day = 1;
      4|   return check(day);
 ❯ test/invoice.test.ts:12:18
     11|     const name = nameOf(1);
     12|     expect(name).toBe("b");
       |                  ^
"""
TSC = "src/cart.ts(12,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.\n"
GO = """\
panic: runtime error: index out of range [5] with length 3 [recovered]

goroutine 7 [running]:
panic({0x1, 0x2})
\t/usr/local/go/src/runtime/panic.go:884 +0x213
example.com/shop/cart.(*Cart).Add(0xc0000, {0x4c, 0x6})
\t/app/cart/cart.go:17 +0x8b
example.com/shop/cart.fill.func1(...)
\t/app/cart/fill.go:9
main.main()
\t/app/main.go:11 +0x65

goroutine 8 [chan receive]:
main.wait()
\t/app/wait.go:3 +0x1
exit status 2
"""
GO_TEST = "--- FAIL: TestMean (0.00s)\n    --- FAIL: TestMean/empty (0.00s)\n        stats_test.go:14: got 3, want 2.5\nFAIL\n"
GO_BUILD = "# example.com/shop\n./cart/cart.go:12:5: undefined: prise\n"
RUST = """\
thread 'main' (123) panicked at src/bank.rs:12:42:
called `Option::unwrap()` on a `None` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: core::option::unwrap_failed
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/option.rs:2236:5
   2: shop::bank::Bank::deposit
             at ./src/bank.rs:12:42
   3: shop::main::{{closure}}
             at ./src/main.rs:5:10
note: Some details are omitted
"""
RUST_OLD = "thread 'tests::adds' panicked at 'assertion failed: false', src/lib.rs:7:9\nnote: run with `RUST_BACKTRACE=1`\n"
RUST_TEST = "test tests::adds ... FAILED\n\nthread 'tests::adds' panicked at src/lib.rs:28:9:\nassertion `left == right` failed\n  left: 6\n right: 10\n"
RUSTC = 'error[E0382]: borrow of moved value: `a`\n --> src/main.rs:5:20\n  |\n5 |     println!("{a}");\n  |               ^^^ value borrowed here\n'
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: cannot start
\tat com.acme.Main.start(Main.java:20)
\tat com.acme.Main.main(Main.java:9)
Caused by: java.lang.NullPointerException: Cannot invoke "String.trim()" because "name" is null
\tat com.acme.config.Loader$Entry.read(Loader.java:14)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
\tat com.acme.config.Loader.lambda$load$0(Loader.java:8)
\tat com.acme.config.Loader.<init>(Loader.java:5)
\t... 2 more
"""
JAVAC = "src/com/acme/Main.java:12: error: cannot find symbol\n    retrun 1;\n    ^\n1 error\n"

TABLE = [
    pytest.param(
        NODE,
        "javascript",
        "TypeError: Cannot read properties of undefined (reading 'cents')",
        [
            ("file:///srv/app/src/shop.mjs", 3, "Shop"),
            ("node:internal/modules/esm/loader", 606, "ModuleLoader.import"),
            ("webpack://shop/./src/cart.ts?1a2b", 14, "cartTotal"),
            ("/srv/app/src/cart.ts", 10, "lineTotal"),
        ],
        id="node",
    ),
    pytest.param(
        NODE_CAUSE,
        "javascript",
        "SyntaxError: Unexpected end of JSON input",
        [("/app/read.js", 2, "read")],
        id="node-cause",
    ),
    pytest.param(JEST, "javascript", "", [("test/total.test.js", 5, "")], id="jest"),
    pytest.param(
        VITEST,
        "javascript",
        "AssertionError: expected 'a' to be 'b' // Object.is equality",
        [("test/invoice.test.ts", 12, ""), ("src/invoice.ts", 4, "nameOf")],
        id="vitest",
    ),
    pytest.param(
        TSC,
        "javascript",
        "TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
        [("src/cart.ts", 12, "")],
        id="tsc",
    ),
    pytest.param(
        GO,
        "go",
        "panic: runtime error: index out of range [5] with length 3",
        [
            ("/app/main.go", 11, "main"),
            ("/app/cart/fill.go", 9, "fill"),
            ("/app/cart/cart.go", 17, "Cart.Add"),
        ],
        id="go",
    ),
    pytest.param(
        GO_TEST, "go", "test failed: got 3, want 2.5", [("stats_test.go", 14, "TestMean")], id="go-test"
    ),
    pytest.param(
        GO_BUILD, "go", "compile error: undefined: prise", [("./cart/cart.go", 12, "")], id="go-build"
    ),
    pytest.param(
        RUST,
        "rust",
        "panic: called `Option::unwrap()` on a `None` value",
        [("./src/main.rs", 5, "main"), ("./src/bank.rs", 12, "Bank.deposit")],
        id="rust",
    ),
    pytest.param(
        RUST_OLD, "rust", "panic: assertion failed: false", [("src/lib.rs", 7, "adds")], id="rust-old"
    ),
    pytest.param(
        RUST_TEST,
        "rust",
        "panic: assertion `left == right` failed",
        [("src/lib.rs", 28, "adds")],
        id="cargo-test",
    ),
    pytest.param(RUSTC, "rust", "E0382: borrow of moved value: `a`", [("src/main.rs", 5, "")], id="rustc"),
    pytest.param(
        JAVA,
        "java",
        'java.lang.NullPointerException: Cannot invoke "String.trim()" because "name" is null',
        [
            ("com/acme/config/Loader.java", 5, "Loader.Loader"),
            ("com/acme/config/Loader.java", 8, "Loader.load"),
            ("java/util/ArrayList.java", 1511, "ArrayList.forEach"),
            ("com/acme/config/Loader.java", 14, "Loader.Entry.read"),
        ],
        id="java",
    ),
    pytest.param(
        JAVAC,
        "java",
        "compile error: cannot find symbol",
        [("src/com/acme/Main.java", 12, "")],
        id="javac",
    ),
]


@pytest.mark.parametrize(("text", "language", "headline", "frames"), TABLE)
def test_the_decisive_failure_and_its_frames(text, language, headline, frames):
    report = read_report(text)
    assert report.decisive is not None
    assert report.language == language
    assert report.decisive.headline == headline
    assert [(one.path, one.line, one.function) for one in report.decisive.frames] == frames


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (NODE, "return price.cents * item.count;"),
        (JEST, "expect(total(10)).toBe(12);"),
        (VITEST, "return check(day);"),
        (RUSTC, 'println!("{a}");'),
        (JAVAC, "retrun 1;"),
    ],
)
def test_the_failing_line_is_quoted_where_the_text_shows_it(text, quoted):
    failure = read_report(text).decisive
    assert failure is not None
    assert failure.frames[-1].quoted == quoted


def test_values_are_kept_as_written():
    assert read_report(JEST).values == ("Expected: 12", "Received: 10")
    assert read_report(RUST_TEST).values == ("left: 6", "right: 10")
    assert read_report(GO_TEST).values == ("got 3, want 2.5",)


def test_failing_tests_are_named():
    assert read_report(VITEST).tests == ("test/invoice.test.ts > invoices > are named",)
    assert read_report(JEST).tests == ("totals › adds tax",)
    assert read_report(RUST_TEST).tests == ("tests::adds",)
    assert read_report(GO_TEST).tests == ("TestMean", "TestMean/empty")


def test_an_issue_that_names_places_has_them():
    report = read_report(
        "Login fails: see src/auth/login.py:41 and `lib\\session.rb:7`.\nValueError: bad salt\n"
    )
    assert report.language == ""
    assert report.decisive is not None
    assert report.decisive.headline == "ValueError: bad salt"
    assert [(one.path, one.line) for one in report.decisive.frames] == [
        ("src/auth/login.py", 41),
        ("lib\\session.rb", 7),
    ]


def test_prose_alone_has_no_failure():
    report = read_report("The list of orders is empty after a restart of the service.")
    assert report.failures == ()
    assert report.decisive is None
