/** Of an answer with lists of records, what it says of the things that a call names. */

const [mostValues, deepest] = [5000, 12];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A value together with the name that it has. */
export const namedValue = (key: string, value: string): string => `${key}\0${value}`.toLowerCase();

/** Goes through an answer from elsewhere: it looks at a bounded number of values, and leaves the rest as it is. */
class Narrowing {
  #left = mostValues;
  readonly #wanted: ReadonlySet<string>;

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  /** Whether a value within is one of those wanted. */
  #names(value: unknown, depth: number, name = ''): boolean {
    if ((this.#left -= 1) < 0 || depth > deepest) return false;
    if (isObject(value)) {
      for (const key in value)
        if (Object.hasOwn(value, key) && this.#names(value[key], depth + 1, key)) return true;
      return false;
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
    const text = String(value);
    return this.#wanted.has(text.toLowerCase()) || this.#wanted.has(namedValue(name, text));
  }

  narrow(value: unknown, depth = 0): unknown {
    if (!isObject(value) || depth > deepest || (this.#left -= 1) < 0) return value;
    if (!Array.isArray(value)) {
      const entries = Object.entries(value);
      return entries.some(([, one]) => isObject(one))
        ? Object.fromEntries(entries.map(([key, one]) => [key, this.narrow(one, depth + 1)]))
        : value;
    }
    const records = value as readonly unknown[];
    if (!records.every(isObject)) return records;
    const named = records.filter((one) => this.#names(one, depth + 1));
    return (named.length > 0 ? named : records).map((one) => this.narrow(one, depth + 1));
  }
}

/**
 * The answer without those records of a list (`{orders: [{…}, {…}]}`) that name none of the values, where another one
 * does: what is said of another record is nothing about the thing.
 * @param wanted values in small letters
 */
export const aboutNamed = (output: unknown, wanted: ReadonlySet<string>): unknown =>
  wanted.size === 0 ? output : new Narrowing(wanted).narrow(output);
