/** PGlite with text values only, so that it may run in this thread or a worker thread. */
import type { PGlite, Results } from '@electric-sql/pglite';

/** Result of one statement; values are in PostgreSQL's text form. */
export interface RawResult {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** `INSERT`, `COMMIT`, … */
  readonly command: string | undefined;
}

export interface PgliteEngine {
  /** One statement. Throws the database's error, with `code` and `severity`. */
  query(sql: string, params: readonly (string | null)[]): Promise<RawResult>;
  /** COPY of data in its text format; the statement ends before `from`. */
  copy(statement: string, text: string): Promise<void>;
  /** Several statements, without parameters. */
  exec(sql: string): Promise<readonly RawResult[]>;
  onNotification(listener: (channel: string, payload: string) => void): void;
  close(): Promise<void>;
}

const asIs = (value: unknown) => value as string;

const rawResult = ({ fields, rows, command }: Results): RawResult => ({
  // Fields are plain data, so that they can be sent to another thread.
  fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
  rows: rows as (string | null)[][],
  command,
});

/** Runs the engine in this thread. */
export function engineHere(pglite: PGlite): PgliteEngine {
  // Values are text: disable the driver's own conversions.
  for (const oid of Object.keys(pglite.serializers)) pglite.serializers[oid] = asIs;
  for (const oid of Object.keys(pglite.parsers)) pglite.parsers[oid] = asIs;
  const asArrays = { rowMode: 'array' } as const;
  return {
    query: async (sql, params) => rawResult(await pglite.query(sql, [...params], asArrays)),
    async copy(statement, text) {
      // PGlite offers the data of COPY as a file of this name.
      await pglite.query(`${statement} from '/dev/blob'`, [], { ...asArrays, blob: new Blob([text]) });
    },
    exec: async (sql) => (await pglite.exec(sql, asArrays)).map(rawResult),
    onNotification: (listener) => void pglite.onNotification(listener),
    close: () => pglite.close(),
  };
}
