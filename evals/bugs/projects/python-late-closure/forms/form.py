from forms.rules import length_rules


class Form:
    def __init__(self, limits):
        self.rules = length_rules(limits)

    def problems(self, values):
        return [field for field, text in values.items() if not self.rules[field](text)]
