import type { LabelledText } from './rows.ts';

/** A detector or policy that is measured. */
export interface Column {
  /** As rows are labelled. */
  id: string;
  /** As the judge calls it. */
  name: string;
  threshold: number;
}

export interface JudgedRow {
  /** One for each column, 0..1. */
  scores: Float64Array;
  /** 1 where the judge itself flags. */
  flags: Uint8Array;
}

/** What judges rows: the engine in this process, or a running guard. */
export interface RowJudge {
  columns: readonly Column[];
  /** For the report. */
  about: { kind: 'embedded' | 'guard'; version: string; guard?: string };
  /** How many rows may be under way at once. */
  concurrency: number;
  /** @throws AppError where this row, or every row, cannot be judged */
  judge(row: Pick<LabelledText, 'text' | 'messages'>): Promise<JudgedRow>;
}
