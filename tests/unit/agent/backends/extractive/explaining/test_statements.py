"""What single lines of code say, in each language."""

import pytest

from agent.backends.extractive.explaining.statements import (
    Call,
    argument_at,
    assigned_value,
    attribute_binding,
    binding,
    bindings,
    calls_in,
    is_raise,
    names_in,
    parameters,
    returned,
    stored_key,
)


@pytest.mark.parametrize(
    ("line", "names", "value"),
    [
        ("    user = find(login)", ("user",), "find(login)"),
        ("    a, b = pair(x)", ("a", "b"), "pair(x)"),
        ("    total += line.quantity", ("total",), "line.quantity"),
        ("    size: int = len(items)", ("size",), "len(items)"),
        ("  const price = list.priceOf(sku);", ("price",), "list.priceOf(sku)"),
        ("\tat, err := separator(line)", ("at", "err"), "separator(line)"),
        ("    let mut values = HashMap::new();", ("values",), "HashMap::new()"),
        ("        Catalog catalog = new Catalog();", ("catalog",), "new Catalog()"),
        ("    with open(path) as handle:", ("handle",), "open(path)"),
        ("    for name, rows in table.items():", ("name", "rows"), "table.items("),
        ("    for (const job of this.jobs) {", ("job",), "this.jobs"),
        ("\tfor _, p := range r.all {", ("_", "p"), "r.all"),
        ("        for (String message : messages) {", ("message",), "messages"),
    ],
)
def test_what_a_line_binds(line, names, value):
    bound = binding(line)
    assert bound is not None
    assert bound.names == names
    assert bound.value.startswith(value)


@pytest.mark.parametrize("line", ["if a == b:", "return x", "f(a=1)", "# a = 1", "while x <= y {", "a.b = c"])
def test_what_binds_no_variable(line):
    assert binding(line) is None


def test_comprehensions_bind_beside_an_assignment():
    assert [one.names for one in bindings("pages = [f(n) for n in range(1, last + 1)]")] == [
        ("pages",),
        ("n",),
    ]


def test_calls_with_their_arguments():
    line = 'return f"{count(lines, size=len(x))} in {path}"  # not(this)'
    assert calls_in(line) == [Call("count", ("lines", "size=len(x)"))]
    assert [call.name for call in calls_in("let s = Settings::parse(text).unwrap();")] == ["parse"]


def test_names_are_variables_and_attributes_but_no_keywords_or_called_functions():
    assert names_in("return pages[number - 1] if self.ready else None") == ["pages", "number", "self.ready"]
    assert names_in("total(price, percent=10, note='x y')") == ["price"]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("def f(self, a, b: int = 3, *rest, **more) -> str:", ["a", "b", "rest", "more"]),
        ("export function f(a: Map<string, number>, b?: any): void {", ["a", "b"]),
        ("func (s *Store) Put(article string, pieces int) {", ["article", "pieces"]),
        ("pub fn get(&self, key: &str) -> Option<&String> {", ["key"]),
        ("int weightOf(Map<String, Object> event, final int times) {", ["event", "times"]),
        ("def f():", []),
    ],
)
def test_parameters_of_a_header(header, names):
    assert parameters(header) == names


def test_the_argument_of_a_parameter_by_place_or_by_name():
    call = calls_in("discounted(voucher, percent=amount)")[0]
    assert argument_at(call, "price", ["price", "percent"]) == "voucher"
    assert argument_at(call, "percent", ["price", "percent"]) == "amount"
    assert argument_at(call, "other", ["price", "percent"]) == ""


@pytest.mark.parametrize(
    "line",
    [
        "self.prices = []",
        "self.prices[key] = 1",
        "this.prices.set(sku, price);",
        "prices.insert(key, 1);",
        "  private prices: Map<string, number> = x;",
        "delete this.prices[at];",
    ],
)
def test_lines_that_change_an_attribute(line):
    assert attribute_binding(line, "prices")


@pytest.mark.parametrize(
    "line", ["return self.prices", "if self.prices == x:", "self.prices.get(key)", "price = 1"]
)
def test_lines_that_only_read_it(line):
    assert not attribute_binding(line, "prices")


def test_the_key_of_what_is_stored():
    assert stored_key("self._by[employee.login.lower()] = employee", "_by") == "employee.login.lower()"
    assert stored_key("values.insert(key.to_string(), value.trim());", "values") == "key.to_string()"
    assert stored_key("values.get(key)", "values") == ""


def test_the_right_side_of_an_assignment():
    assert assigned_value("rows = pages[number - 1]") == "pages[number - 1]"
    assert assigned_value("self.slots = [None] * size") == "[None] * size"
    assert assigned_value("return a == b") == "return a == b"


def test_what_is_returned_and_raised():
    assert returned("    return self._by.get(login)") == "self._by.get(login)"
    assert returned("return;") == ""
    assert returned("x = 1") is None
    assert all(map(is_raise, ["raise X()", "throw new Error('x');", "  panic(err)", "assert a == b"]))
    assert not is_raise("raised = True")
