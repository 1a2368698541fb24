import typer
app = typer.Typer()
def doctor() -> int: return 0
