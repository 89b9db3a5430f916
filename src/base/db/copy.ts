import type pg from 'pg';
import { encode } from './values.ts';

/** Values of a row, as `encode` in `values.ts` accepts them. */
export type CopiedRow = readonly unknown[];

/** What must be escaped, and what the database cannot hold, which `encode` replaces. */
const special = /[\\\n\r\t\0\ud800-\udfff]/;

function field(value: unknown): string {
  // Nearly all are such texts, and copying is there to be quick.
  if (typeof value === 'string' && !special.test(value)) return value;
  const text = encode(value);
  if (text === null) return String.raw`\N`;
  // JSON has backslashes and no other such sign.
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
  return /[\n\r\t]/.test(escaped) ? escapedSpaces(escaped) : escaped;
}

const escapedSpaces = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');

/** The rows in the text format of PostgreSQL's COPY. */
export function copyText(rows: readonly CopiedRow[]): string {
  let text = '';
  for (const row of rows) {
    let separator = '';
    for (const value of row) {
      text += separator + field(value);
      separator = '\t';
    }
    text += '\n';
  }
  return text;
}

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
