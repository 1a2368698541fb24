from tank.plan import seconds_to_fill

if __name__ == "__main__":
    print(seconds_to_fill([0.1, 0.2, 1.0]))
