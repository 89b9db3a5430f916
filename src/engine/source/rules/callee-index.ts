const mostFound = 20_000;

/** What was written, and what it is compiled to once a name ends as it does. */
interface Written<T> {
  callee: string;
  entry: T;
  test?: RegExp;
}

function testOf<T>(written: Written<T>): RegExp {
  if (written.test !== undefined) return written.test;
  const pattern = written.callee
    .split('**')
    .map((part) => part.replaceAll(/[.?()$[\]]/g, String.raw`\$&`))
    .join('.*')
    // What a module makes when it is called itself is an object of it too: `simpleGit().clone`.
    .replace(/^([\w@-]+(?:\\\.[\w-]+)*)\\\.\.\*\\\./, String.raw`$1(?:\..*|\(\)(?:\..*)?)\.`);
  return (written.test = new RegExp(`^${pattern}$`));
}

/** Finds by a full name what was written with `**` for anything. */
export class CalleeIndex<T> {
  readonly #byLast = new Map<string, Written<T>[]>();
  /** Written with anything at their end: `slog.**`. */
  readonly #open: Written<T>[] = [];
  readonly #found = new Map<string, readonly T[]>();

  add(callees: string | readonly string[], entry: T): void {
    for (const callee of typeof callees === 'string' ? [callees] : callees) {
      const last = callee.slice(callee.lastIndexOf('.') + 1);
      const known = last.endsWith('**') ? this.#open : (this.#byLast.get(last) ?? []);
      known.push({ callee, entry });
      if (known !== this.#open) this.#byLast.set(last, known);
    }
    this.#found.clear();
  }

  /** Entries for a name such as `sqlite3.connect().execute`; what is not known of starts with `?`. */
  find(name: string): readonly T[] {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const named = this.#byLast.get(name.slice(name.lastIndexOf('.') + 1)) ?? [];
    if (named.length + this.#open.length === 0 || name.length > 300) return [];
    const found = [...named, ...this.#open]
      .filter((each) => testOf(each).test(name))
      .map(({ entry }) => entry);
    // Names are the scanned project's: no table of them may grow without end.
    if (this.#found.size < mostFound) this.#found.set(name, found);
    return found;
  }
}
