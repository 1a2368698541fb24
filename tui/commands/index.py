import typer
app = typer.Typer()
def index() -> int: return 0
