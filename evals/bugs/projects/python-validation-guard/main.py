from booking.desk import quote

print(quote("2024-07-01", "2024-07-04"))
