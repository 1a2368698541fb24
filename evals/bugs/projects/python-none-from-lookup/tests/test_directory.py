from staff.directory import Directory, Employee


def test_a_login_in_lower_case_is_found():
    directory = Directory()
    directory.add(Employee("grace", 96000, ""))
    assert directory.find("grace").salary == 96000
