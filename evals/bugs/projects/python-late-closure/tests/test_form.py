from forms.form import Form


def test_each_field_has_its_own_limit():
    form = Form({"name": 40, "zip": 5})
    assert form.problems({"name": "Ada Lovelace", "zip": "12345"}) == []
