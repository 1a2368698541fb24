from staff.directory import Directory, Employee
from staff.payroll import payslip

directory = Directory()
directory.add(Employee("AdaL", 84000, "grace"))
directory.add(Employee("grace", 96000, ""))

for login in ("grace", "AdaL"):
    print(payslip(directory, login, 11))
