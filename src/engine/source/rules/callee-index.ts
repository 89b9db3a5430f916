const mostFound = 20_000;

/** Finds by a full name what was written with `**` for anything. */
export class CalleeIndex<T> {
  readonly #byLast = new Map<string, { test: RegExp; entry: T }[]>();
  /** Written with anything at their end: `slog.**`. */
  readonly #open: { test: RegExp; entry: T }[] = [];
  readonly #found = new Map<string, readonly T[]>();

  add(callees: string | readonly string[], entry: T): void {
    for (const callee of typeof callees === 'string' ? [callees] : callees) {
      const last = callee.slice(callee.lastIndexOf('.') + 1);
      const pattern = callee
        .split('**')
        .map((part) => part.replaceAll(/[.?()$[\]]/g, String.raw`\$&`))
        .join('.*')
        // What a module makes when it is called itself is an object of it too: `simpleGit().clone`.
        .replace(/^([\w@-]+(?:\\\.[\w-]+)*)\\\.\.\*\\\./, String.raw`$1(?:\..*|\(\)(?:\..*)?)\.`);
      const known = last.endsWith('**') ? this.#open : (this.#byLast.get(last) ?? []);
      known.push({ test: new RegExp(`^${pattern}$`), entry });
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
    const found = [...named, ...this.#open].filter(({ test }) => test.test(name)).map(({ entry }) => entry);
    // Names are the scanned project's: no table of them may grow without end.
    if (this.#found.size < mostFound) this.#found.set(name, found);
    return found;
  }
}
