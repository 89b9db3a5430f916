import type pg from 'pg';
import { encode } from './values.ts';

/** Values of a row, as `encode` in `values.ts` accepts them. */
export type CopiedRow = readonly unknown[];

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function field(value: unknown): string {
  const text = encode(value);
  if (text === null) return String.raw`\N`;
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (sign) => escapes[sign] ?? sign) : text;
}

/** The rows in the text format of PostgreSQL's COPY. */
export const copyText = (rows: readonly CopiedRow[]): string =>
  rows.map((row) => `${row.map(field).join('\t')}\n`).join('');

/** The statement, up to where its data comes from. */
export const copyStatement = (table: string, columns: readonly string[]): string =>
  `copy ${table} (${columns.join(', ')})`;

/** COPY as a query of the `pg` driver, which leaves the protocol of COPY to such classes. */
export class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  readonly #sql: string;
  readonly #data: Buffer;
  readonly #settle = Promise.withResolvers<undefined>();

  constructor(sql: string, text: string) {
    this.#sql = sql;
    this.#data = Buffer.from(text);
    this.done = this.#settle.promise;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#sql);
  }

  /** The server is ready for the data. */
  handleCopyInResponse(connection: pg.Connection & CopyMessages): void {
    connection.sendCopyFromChunk(this.#data);
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(undefined);
  }

  // The driver calls these of every query.
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

/** Methods of the driver's connection that its types leave out. */
interface CopyMessages {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
