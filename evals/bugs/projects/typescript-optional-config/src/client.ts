import { Config, parse } from "./config";

export class Client {
  constructor(private config: Config) {}

  attempts(): number {
    return this.config.retry!.times + 1;
  }
}

export function connect(text: string): string {
  const client = new Client(parse(text));
  return `${client.attempts()} attempts`;
}
