from poll.loop import deadlines

if __name__ == "__main__":
    print(deadlines({"attempts": 2}))
