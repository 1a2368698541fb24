export interface PageOptions {
  page?: number;
  size?: number;
}

export function normalise(options: PageOptions): Required<PageOptions> {
  return { page: options.page || 1, size: options.size || 10 };
}

export function offset(options: PageOptions): number {
  const { page, size } = normalise(options);
  return page * size;
}
