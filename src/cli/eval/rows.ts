import type { ContextMessage } from '#engine/text/types.ts';
import { labelId } from '#engine/text/label-ids.ts';
import { linesOf, openInput, setNameOf, type OpenedInput } from './inputs.ts';

/** A row to be judged. */
export interface LabelledText {
  file: string;
  line: number;
  text: string;
  messages: ContextMessage[];
  set: string;
  /** One for each column: 1 present, 0 absent, -1 not known. */
  labels: Int8Array;
  /** Values of the fields that slices are made by. */
  slices: string[];
}

export interface RowSettings {
  /** Label ids, in the order of the columns. */
  columns: readonly string[];
  /** Rows that name another split are left out; `all` takes every row. */
  split: string;
  sources: readonly string[] | undefined;
  by: readonly string[];
  /** A row without labels is harmless: 0 in every column. */
  harmlessUnlessLabelled: boolean;
}

export interface BrokenRow {
  path: string;
  line: number;
  why: string;
}

/** What became of the lines that gave no row. */
export class RowCounts {
  broken = 0;
  readonly firstBroken: BrokenRow[] = [];
  /** Split → rows that were left out for it. */
  readonly otherSplits = new Map<string, number>();
  otherSources = 0;
  /** Rows without a label for any measured detector. */
  unlabelled = 0;
  /** Label id that no column has → rows. */
  readonly unknownIds = new Map<string, number>();
  /** Rows of each file that were read. */
  readonly rowsOf = new Map<string, number>();
  readonly inputs: OpenedInput[] = [];

  break(row: BrokenRow): void {
    this.broken++;
    if (this.firstBroken.length < 5) this.firstBroken.push(row);
  }
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

interface RawRow {
  text?: unknown;
  labels?: unknown;
  source?: unknown;
  split?: unknown;
  context?: unknown;
  [field: string]: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const labelValues = new Map<unknown, number>([
  [1, 1],
  [0, 0],
  [true, 1],
  [false, 0],
  [null, -1],
]);

/** Why a row is broken. */
class BrokenLine extends Error {}

function parse(text: string, labelsMayMiss: boolean): RawRow & { text: string } {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    throw new BrokenLine('not valid JSON');
  }
  if (!isObject(row)) throw new BrokenLine('not a JSON object');
  if (typeof row['text'] !== 'string') throw new BrokenLine("'text' is missing or no string");
  if (row['text'] === '') throw new BrokenLine("'text' is empty");
  if (!isObject(row['labels']) && !(labelsMayMiss && row['labels'] === undefined))
    throw new BrokenLine("'labels' is missing or no object");
  return row as RawRow & { text: string };
}

const roles = ['system', 'user', 'assistant'];

function messagesOf(context: unknown): ContextMessage[] {
  if (typeof context === 'string') return context === '' ? [] : [{ role: 'user', content: context }];
  if (context === undefined || context === null) return [];
  const isTurn = (turn: unknown): turn is ContextMessage =>
    isObject(turn) && roles.includes(String(turn['role'])) && typeof turn['content'] === 'string';
  if (!Array.isArray(context) || !context.every(isTurn))
    throw new BrokenLine("'context' is neither a text nor a list of {role, content}");
  return context.map(({ role, content }) => ({ role, content }));
}

/** Reads rows of files, in memory for one row, and counts what it leaves out. */
export class RowReader {
  readonly counts = new RowCounts();
  readonly #settings: RowSettings;
  readonly #columnOf: ReadonlyMap<string, number>;
  /** Label key as written → column; the same few keys come in every row. */
  readonly #known = new Map<string, number | undefined>();

  constructor(settings: RowSettings) {
    this.#settings = settings;
    this.#columnOf = new Map(settings.columns.map((id, column) => [id, column]));
  }

  async *read(files: readonly string[]): AsyncGenerator<LabelledText> {
    const { counts } = this;
    counts.inputs.push(...files.map(openInput));
    for (const input of counts.inputs) {
      for await (const { number, text, broken } of linesOf(input)) {
        if (broken === undefined && text.trim() === '') continue;
        count(counts.rowsOf, input.path);
        try {
          if (broken !== undefined) throw new BrokenLine(broken);
          const row = this.#row(text, input.path, number);
          if (row !== undefined) yield row;
        } catch (error) {
          if (!(error instanceof BrokenLine)) throw error;
          counts.break({ path: input.path, line: number, why: error.message });
        }
      }
    }
  }

  #row(line: string, file: string, number: number): LabelledText | undefined {
    const { by, harmlessUnlessLabelled } = this.#settings;
    const raw = parse(line, harmlessUnlessLabelled);
    const set = typeof raw.source === 'string' ? raw.source : setNameOf(file);
    if (!this.#isWanted(raw, set)) return undefined;
    const labels = this.#labels(raw.labels);
    if (labels.every((label) => label < 0)) {
      this.counts.unlabelled++;
      return undefined;
    }
    const fields: Record<string, unknown> = { ...raw, source: set };
    const slices = by.map((field) => sliceValue(fields[field]));
    return { file, line: number, text: raw.text, messages: messagesOf(raw.context), set, labels, slices };
  }

  #isWanted({ split }: RawRow, set: string): boolean {
    const { sources, split: wanted } = this.#settings;
    if (sources !== undefined && !sources.includes(set)) {
      this.counts.otherSources++;
      return false;
    }
    if (wanted === 'all' || typeof split !== 'string' || split === wanted) return true;
    count(this.counts.otherSplits, split);
    return false;
  }

  #labels(raw: unknown): Int8Array {
    const { columns } = this.#settings;
    if (!isObject(raw)) return new Int8Array(columns.length);
    const labels = new Int8Array(columns.length).fill(-1);
    for (const [key, value] of Object.entries(raw)) {
      const label = labelValues.get(value);
      if (label === undefined) throw new BrokenLine(`'labels.${key}' is none of 1, 0 and null`);
      const column = this.#column(key);
      if (column !== undefined) labels[column] = label;
      else if (label >= 0) count(this.counts.unknownIds, key);
    }
    return labels;
  }

  #column(key: string): number | undefined {
    if (!this.#known.has(key)) this.#known.set(key, this.#columnOf.get(labelId(key)));
    return this.#known.get(key);
  }
}

const sliceValue = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '(none)';
