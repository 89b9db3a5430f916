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

/** Usage of a language model. */
export interface Cost {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  /** Rows of which at least one policy was decided by it. */
  rowsAsked: number;
}

/** What judges rows: an engine in this process, or a running guard. */
export interface RowJudge {
  columns: readonly Column[];
  /** For the report. */
  about: { kind: 'embedded' | 'llm' | 'cascade' | 'guard'; version: string; guard?: string };
  /** How many rows may be under way at once. */
  concurrency: number;
  /** @throws AppError where this row, or every row, cannot be judged */
  judge(row: Pick<LabelledText, 'text' | 'messages'>): Promise<JudgedRow>;
  /** For a judging language model: its usage so far. */
  cost?: () => Cost;
  close?: () => Promise<void>;
}
