/** A value that a row of an environment holds. */
export type Cell = string | number | null;
export type Row = Record<string, Cell>;
