/** Longer texts are truncated. */
const longestText = 100_000;

/**
 * Reads untrusted JSON by property: missing values or wrong types are undefined; only invalid or too
 * long lists are errors, since whole findings would be lost.
 */
export class Reader {
  /** Its path in the document (JSON pointer): `/runs/0/tool`. */
  readonly path: string;
  readonly #value: unknown;
  readonly #refused: (detail: string) => Error;

  constructor(value: unknown, path: string, refused: (detail: string) => Error) {
    this.#value = value;
    this.path = path;
    this.#refused = refused;
  }

  text(name: string): string | undefined {
    const value = this.#own(name);
    return typeof value === 'string' ? value.slice(0, longestText) : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#own(name);
    return typeof value === 'number' ? value : undefined;
  }

  /** What is there, or an empty object. */
  object(name: string): Reader {
    return new Reader(this.#own(name), `${this.path}/${name}`, this.#refused);
  }

  /** The texts of a list; all else in it is left out. */
  texts(name: string, most: number): string[] {
    const value = this.#own(name);
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    return texts.slice(0, most).map((text) => text.slice(0, longestText));
  }

  /** The entries of a list; none where it is missing or null. */
  list(name: string, most: number): Reader[] {
    const value = this.#own(name);
    const path = `${this.path}/${name}`;
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.#refused(`${path} must be a list.`);
    if (value.length > most)
      throw this.#refused(`${path} has ${value.length} entries; at most ${most} are read.`);
    return value.map((each: unknown, i) => new Reader(each, `${path}/${i}`, this.#refused));
  }

  #own(name: string): unknown {
    const value = this.#value;
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
  }
}
