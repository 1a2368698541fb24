"""What is used where the person sets nothing."""

interval_seconds = 15,
attempts = 3
