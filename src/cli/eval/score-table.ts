import type { JudgedRow } from './row-judge.ts';
import type { LabelledText } from './rows.ts';

/** Scores of one column over some rows; parallel arrays. */
export interface Scores {
  scores: number[];
  labels: number[];
  /** 1 where the judge flagged. */
  flags: number[];
}

const lengthBands = [50, 200, 1000, 5000];

function bandOf({ length }: string): string {
  const at = lengthBands.findIndex((end) => length < end);
  const from = at < 0 ? lengthBands.at(-1) : (lengthBands[at - 1] ?? 0);
  return at < 0 ? `${from} and more` : `${from}–${(lengthBands[at] ?? 0) - 1}`;
}

/** Groups of rows by a value: the rows' numbers. */
type Groups = Map<string, number[]>;

const unit = 4096;

/**
 * The scores, flags and labels of all judged rows: 6 bytes for each row and column, and a number for each row and
 * grouping. Texts are not kept.
 */
export class ScoreTable {
  readonly sets: Groups = new Map();
  /** Field → value → rows; `length` always. */
  readonly slices = new Map<string, Groups>();
  readonly #columns: number;
  readonly #fields: readonly string[];
  #rows = 0;
  #scores = new Float32Array();
  #labels = new Int8Array();
  #flags = new Uint8Array();

  constructor(columns: number, fields: readonly string[]) {
    this.#columns = columns;
    this.#fields = fields;
    for (const field of ['length', ...fields]) this.slices.set(field, new Map());
  }

  get rows(): number {
    return this.#rows;
  }

  add({ text, set, labels, slices }: LabelledText, { scores, flags }: JudgedRow): void {
    const at = this.#rows * this.#columns;
    this.#makeRoom(at + this.#columns);
    this.#scores.set(scores, at);
    this.#labels.set(labels, at);
    this.#flags.set(flags, at);
    const row = this.#rows++;
    join(this.sets, set, row);
    join(this.slices.get('length'), bandOf(text), row);
    this.#fields.forEach((field, i) => join(this.slices.get(field), slices[i] ?? '', row));
  }

  /** Rows with a known label in a column; of all rows unless some are given. */
  known(column: number, rows?: readonly number[]): Scores {
    const found: Scores = { scores: [], labels: [], flags: [] };
    const take = (row: number) => {
      const at = row * this.#columns + column;
      const label = this.#labels[at] ?? -1;
      if (label < 0) return;
      found.scores.push(this.#scores[at] ?? 0);
      found.labels.push(label);
      found.flags.push(this.#flags[at] ?? 0);
    };
    if (rows === undefined) for (let row = 0; row < this.#rows; row++) take(row);
    else rows.forEach(take);
    return found;
  }

  /** Rows with label 0 in every column. */
  harmless(rows?: readonly number[]): number[] {
    const candidates = rows ?? Array.from({ length: this.#rows }, (_, row) => row);
    return candidates.filter((row) =>
      this.#labels.subarray(row * this.#columns, (row + 1) * this.#columns).every((label) => label === 0),
    );
  }

  /** Whether any column flags the row. */
  isFlagged(row: number): boolean {
    return this.#flags.subarray(row * this.#columns, (row + 1) * this.#columns).includes(1);
  }

  #makeRoom(cells: number): void {
    if (cells <= this.#scores.length) return;
    const size = Math.max(unit, this.#scores.length * 2, cells);
    const [scores, labels, flags] = [this.#scores, this.#labels, this.#flags];
    this.#scores = new Float32Array(size);
    this.#labels = new Int8Array(size);
    this.#flags = new Uint8Array(size);
    this.#scores.set(scores);
    this.#labels.set(labels);
    this.#flags.set(flags);
  }
}

function join(groups: Groups | undefined, value: string, row: number): void {
  const rows = groups?.get(value);
  if (rows === undefined) groups?.set(value, [row]);
  else rows.push(row);
}
