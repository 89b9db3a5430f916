import type { Cell, Row } from './row.ts';

/** What happened to one row between two points of time. */
export interface RecordedChange {
  table: string;
  op: 'added' | 'removed' | 'updated';
  /** Positions of columns to their values; an update records only the key and what changed. */
  before?: Map<number, Cell>;
  after?: Map<number, Cell>;
}

const operations = { 18: 'added', 9: 'removed', 23: 'updated' } as const;

/** Reads the records of a changeset one after the other. Format: "Changeset Format" in SQLite's session extension. */
class ChangesetReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(changeset: Uint8Array) {
    this.#bytes = Buffer.from(changeset.buffer, changeset.byteOffset, changeset.byteLength);
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  peek(): number {
    return this.#bytes[this.#at] as number;
  }

  byte(): number {
    return this.#bytes[this.#at++] as number;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** An integer of variable length: seven bits a byte, the highest first. */
  length(): number {
    let value = 0;
    for (;;) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  }

  text(length: number): string {
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  zeroEndedText(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.text(end - this.#at);
    this.skip(1);
    return text;
  }

  /** One value; undefined where the record leaves the column out. */
  value(): Cell | undefined {
    const type = this.byte();
    switch (type) {
      case 0:
        return undefined;
      case 1:
        this.#at += 8;
        return Number(this.#bytes.readBigInt64BE(this.#at - 8));
      case 2:
        this.#at += 8;
        return this.#bytes.readDoubleBE(this.#at - 8);
      case 3:
      case 4:
        return this.text(this.length());
      default:
        return null;
    }
  }

  record(columns: number): Map<number, Cell> {
    const values = new Map<number, Cell>();
    for (let column = 0; column < columns; column += 1) {
      const value = this.value();
      if (value !== undefined) values.set(column, value);
    }
    return values;
  }
}

const startOfTable = 'T'.charCodeAt(0);

/** Decodes a changeset of SQLite's session extension, as `Session.changeset()` of node:sqlite returns it. */
export function decodeChangeset(changeset: Uint8Array): RecordedChange[] {
  const reader = new ChangesetReader(changeset);
  const changes: RecordedChange[] = [];
  let table = '';
  let columns = 0;
  while (!reader.ended) {
    if (reader.peek() === startOfTable) {
      reader.skip(1);
      columns = reader.length();
      reader.skip(columns); // one byte a column: whether it is part of the primary key
      table = reader.zeroEndedText();
    } else {
      const op = operations[reader.byte() as keyof typeof operations];
      reader.skip(1); // whether a trigger made the change
      const change: RecordedChange = { table, op };
      if (op !== 'added') change.before = reader.record(columns);
      if (op !== 'removed') change.after = reader.record(columns);
      changes.push(change);
    }
  }
  return changes;
}

/** Values by position as a row with the names of its columns. */
export function namedRow(values: Map<number, Cell>, columns: string[]): Row {
  return Object.fromEntries([...values].map(([position, value]) => [columns[position] as string, value]));
}
