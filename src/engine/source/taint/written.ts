/** What is written of a text that is not known as a whole: the words of all its branches and parts. */

/** Words of a text as far as they stand in the source. */
export interface Written {
  text: string;
  /** Every part of it is written somewhere. */
  isWhole: boolean;
}

/** A value, as far as its words go. */
interface Worded {
  readonly constant?: string | number | boolean | null;
  readonly written?: Written;
}

/** Longer than any description that servers have. */
const mostWritten = 20_000;
const nothing: Written = { text: '', isWhole: false };
const empty: Written = { text: '', isWhole: true };

/** What is written of a value that is used as a text. */
export function writtenOf(value: Worded | undefined): Written {
  if (value === undefined) return nothing;
  const { constant, written } = value;
  if (constant === undefined) return written ?? nothing;
  return constant === null || typeof constant === 'boolean'
    ? empty
    : { text: String(constant), isWhole: true };
}

/** Parts one behind the other. */
export function writtenIn(parts: readonly Worded[], between = ''): Written | undefined {
  const all = parts.map(writtenOf);
  const text = all
    .map((part) => part.text)
    .join(between)
    .slice(0, mostWritten);
  return text === '' ? undefined : { text, isWhole: all.every(({ isWhole }) => isWhole) };
}

/** One or the other: both are read, each once. */
export function writtenOfEither(a: Worded, b: Worded): Written | undefined {
  if (a.constant !== undefined && a.constant === b.constant) return undefined;
  if (!saysWords(a) && !saysWords(b)) return undefined;
  const [one, other] = [writtenOf(a), writtenOf(b)];
  const isWhole = one.isWhole && other.isWhole;
  if (one.text.includes(other.text)) return reused(a, one.text, isWhole);
  if (other.text.includes(one.text)) return reused(b, other.text, isWhole);
  return { text: `${one.text}\n${other.text}`.slice(0, mostWritten), isWhole };
}

const saysWords = ({ constant, written }: Worded) => typeof constant === 'string' || written !== undefined;

/** The same object where nothing is new, so that values stay comparable. */
const reused = ({ written }: Worded, text: string, isWhole: boolean): Written | undefined => {
  if (text === '') return undefined;
  return written?.text === text && written.isWhole === isWhole ? written : { text, isWhole };
};
