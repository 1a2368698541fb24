import { Counter } from "./counter";

export class Button {
  private handlers: Array<() => unknown> = [];

  onClick(handler: () => unknown): void {
    this.handlers.push(handler);
  }

  click(): void {
    for (const handler of this.handlers) {
      handler();
    }
  }
}

export function wire(button: Button, counter: Counter): void {
  button.onClick(counter.increment);
}
