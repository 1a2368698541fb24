from catalogue.paging import cut, page_count


def render_page(pages, number):
    rows = pages[number - 1]
    return "\n".join(f"{number}: {row}" for row in rows)


def render_all(items, size):
    pages = cut(items, size)
    last = page_count(len(items), size)
    return [render_page(pages, number) for number in range(1, last + 1)]
