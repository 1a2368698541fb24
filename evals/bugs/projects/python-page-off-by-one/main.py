from catalogue.site import render_all

books = [f"book {n}" for n in range(40)]
for page in render_all(books, 10):
    print(page)
