export interface Config {
  server: { host: string; port: number };
  retry?: { times: number };
}

export function parse(text: string): Config {
  const raw = JSON.parse(text);
  return { server: raw.server, retry: raw.retries };
}
