from access.gate import admit
from access.tokens import issue, prolonged

token = prolonged(issue("ada", "2024-05-01 12:00"), 3)
print(admit(token))
