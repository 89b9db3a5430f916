import { inspect } from 'node:util';

/** A value that prints, logs and serialises as `[secret]`; only `reveal()` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Derives another secret, such as a header's value. */
  map(make: (value: string) => string): Secret {
    return new Secret(make(this.#value));
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
