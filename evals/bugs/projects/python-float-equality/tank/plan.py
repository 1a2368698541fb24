from tank.level import fill_steps

SECONDS_PER_STEP = 4


def seconds_to_fill(amounts):
    return [fill_steps(amount) * SECONDS_PER_STEP for amount in amounts]
