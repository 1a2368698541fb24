"""Where the tests of a workspace run: as isolated as this machine allows, and never less than was agreed to.

`tiers.py` finds the strongest tier that works here, by running `true` with the real command line. `boxes.py` has one
`Box` per tier, which runs a `Job` (`job.py`); `watch.py` ends it when it spends too much. The word "inside" is for
paths as the tests see them.
"""
