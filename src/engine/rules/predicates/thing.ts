import type { ThingPhrase } from '../../actions/things.ts';
import type { TextReader } from '../wording/text-reader.ts';
import { listed, readList, type Wording } from '../wording/wording.ts';

/** Something that a call can be about, by the words that name it. */
export interface Thing {
  /** One that tells it apart is enough, or most of them where it is `whole`. */
  readonly words: readonly string[];
  /** One of these has to be met as it stands: `production`. */
  readonly exact?: readonly string[] | undefined;
  readonly whole?: true | undefined;
}

export const toPhrase = ({ words, exact = [], whole }: Thing): ThingPhrase => ({
  words: [...words],
  hard: [...exact],
  ...(whole === true && { wantsAll: true }),
});

export const toThing = ({ words, hard, wantsAll }: ThingPhrase): Thing => ({
  words,
  ...(hard.length > 0 && { exact: hard }),
  ...(wantsAll === true && { whole: true }),
});

function print({ words, exact = [], whole }: Thing): string {
  const own =
    words.length === 0 ? '' : `${whole === true ? 'the whole of ' : ''}${JSON.stringify(words.join(' '))}`;
  if (exact.length === 0) return own;
  const named = `${exact.length > 1 ? 'one of the exact words' : 'the exact word'} ${exact.map((word) => JSON.stringify(word)).join(' / ')}`;
  return own === '' ? `${whole === true ? 'the whole of ' : ''}${named}` : `${own} with ${named}`;
}

function read(reader: TextReader): Thing | undefined {
  const whole = reader.take('the whole of');
  const own = reader.quoted();
  const exact: string[] = [];
  const from = reader.at;
  const goesOn = own === undefined || reader.take('with');
  if (goesOn && (reader.take('one of the exact words') || reader.take('the exact word')))
    do {
      const word = reader.quoted();
      if (word === undefined) return undefined;
      exact.push(word);
    } while (reader.take('/'));
  else reader.at = from;
  if (own === undefined && exact.length === 0) return undefined;
  return {
    words: own === undefined ? [] : own.split(' '),
    ...(exact.length > 0 && { exact }),
    ...(whole && { whole }),
  };
}

/** A list of things. */
export const things = (key: string): Wording => ({
  print: (fields) => listed((fields[key] as readonly Thing[]).map(print)),
  read(reader) {
    const from = reader.at;
    const found = readList(reader, () => {
      const start = reader.at;
      const one = read(reader);
      if (one === undefined) reader.at = start;
      return one;
    });
    if (found === undefined) reader.at = from;
    return found === undefined ? undefined : { [key]: found };
  },
});
