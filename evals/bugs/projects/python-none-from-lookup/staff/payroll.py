"""What is paid at the end of the month."""

BONUS_MONTHS = (6, 12)


def monthly_pay(employee, month):
    base = employee.salary // 12
    return base * 2 if month in BONUS_MONTHS else base


def payslip(directory, login, month):
    employee = directory.find(login)
    amount = monthly_pay(employee, month)
    return f"{login}: {amount}"
