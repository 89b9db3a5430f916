/** Finds by a full name what was written with `**` for anything. */
export class CalleeIndex<T> {
  readonly #byLast = new Map<string, { test: RegExp; entry: T }[]>();

  add(callees: string | readonly string[], entry: T): void {
    for (const callee of typeof callees === 'string' ? [callees] : callees) {
      const last = callee.slice(callee.lastIndexOf('.') + 1);
      const pattern = callee
        .split('**')
        .map((part) => part.replaceAll(/[.?()$[\]]/g, String.raw`\$&`))
        .join('.*');
      const known = this.#byLast.get(last) ?? [];
      known.push({ test: new RegExp(`^${pattern}$`), entry });
      this.#byLast.set(last, known);
    }
  }

  /** Entries for a name such as `sqlite3.connect().execute`; what is not known of starts with `?`. */
  find(name: string): T[] {
    const candidates = this.#byLast.get(name.slice(name.lastIndexOf('.') + 1));
    if (candidates === undefined || name.length > 300) return [];
    return candidates.filter(({ test }) => test.test(name)).map(({ entry }) => entry);
  }
}
