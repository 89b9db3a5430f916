import type { TextReader } from './text-reader.ts';

/** Fields of a predicate, as far as one part of its sentence says them. */
export type Fields = Record<string, unknown>;

/**
 * A piece of a canonical sentence that goes both ways: what it prints of the fields it reads back to the same fields.
 * `read` answers undefined, with the reader where it was, when the text says something else.
 */
export interface Wording {
  print(fields: Fields): string;
  read(reader: TextReader): Fields | undefined;
}

const nothing: Fields = {};

/** Reads or leaves the reader where it was. */
function attempt<T>(reader: TextReader, read: () => T | undefined): T | undefined {
  const from = reader.at;
  const found = read();
  if (found === undefined) reader.at = from;
  return found;
}

/** Fixed words. */
export const say = (words: string): Wording => ({
  print: () => words,
  read: (reader) => (reader.take(words) ? nothing : undefined),
});

/** One part after the other. */
export const phrase = (...parts: readonly Wording[]): Wording => ({
  print: (fields) =>
    parts.reduce((before, part) => {
      const said = part.print(fields);
      const joint = before === '' || said === '' || said.startsWith(',') ? '' : ' ';
      return `${before}${joint}${said}`;
    }, ''),
  read: (reader) =>
    attempt(reader, () => {
      let fields: Fields = {};
      for (const part of parts) {
        const found = part.read(reader);
        if (found === undefined) return undefined;
        fields = { ...fields, ...found };
      }
      return fields;
    }),
});

/** Said only where the field is there. */
export const maybe = (key: string, part: Wording): Wording => ({
  print: (fields) => (fields[key] === undefined ? '' : part.print(fields)),
  read: (reader) => part.read(reader) ?? nothing,
});

/** Words that say that a field is true. */
export const mark = (key: string, words: string): Wording => ({
  print: () => words,
  read: (reader) => (reader.take(words) ? { [key]: true } : undefined),
});

/** A field that is true or not there. */
export const flag = (key: string, words: string): Wording => ({
  print: (fields) => (fields[key] === true ? words : ''),
  read: (reader) => (reader.take(words) ? { [key]: true } : nothing),
});

const goesOn = ['unless', 'else', 'require that'];

/** Set off by a comma where it says anything. Sentences of older versions have the comma in any case. */
export const aside = (part: Wording): Wording => ({
  print(fields) {
    const said = part.print(fields);
    return said === '' ? '' : `, ${said}`;
  },
  read: (reader) =>
    attempt(reader, () => {
      const found = reader.take(',') ? part.read(reader) : undefined;
      const isOurs = found !== undefined && !goesOn.some((words) => reader.take(words));
      return isOurs ? found : undefined;
    }) ?? nothing,
});

/** The first part whose field is there; of several ways to say a predicate, one. */
export const oneWay = (
  ...ways: readonly (readonly [fits: (fields: Fields) => boolean, way: Wording])[]
): Wording => ({
  print: (fields) => ways.find(([fits]) => fits(fields))?.[1].print(fields) ?? '',
  read(reader) {
    for (const [, way] of ways) {
      const found = way.read(reader);
      if (found !== undefined) return found;
    }
    return undefined;
  },
});

/** A value of a closed set, each with words of its own. */
export function choice(key: string, words: Readonly<Record<string, string>>): Wording {
  const longestFirst = Object.entries(words).toSorted(([, a], [, b]) => b.length - a.length);
  return {
    print: (fields) => words[fields[key] as string] ?? '',
    read(reader) {
      const found = longestFirst.find(([, text]) => reader.take(text));
      return found === undefined ? undefined : { [key]: found[0] };
    },
  };
}

/** "a", "b" or "c" as a text. */
export const listed = (items: readonly string[], joint = 'or'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1) ?? ''}`;

/** One item and more, parted by commas and a last "or". */
export function readList<T>(reader: TextReader, item: () => T | undefined, joint = 'or'): T[] | undefined {
  const first = item();
  if (first === undefined) return undefined;
  const items = [first];
  for (;;) {
    const next = attempt(reader, () => (reader.take(',') || reader.take(joint) ? item() : undefined));
    if (next === undefined) return items;
    items.push(next);
  }
}

/** A list of texts in quotes. */
export const texts = (key: string, joint = 'or'): Wording => ({
  print: (fields) =>
    listed(
      (fields[key] as readonly string[]).map((text) => JSON.stringify(text)),
      joint,
    ),
  read(reader) {
    const found = readList(reader, () => reader.quoted(), joint);
    return found === undefined ? undefined : { [key]: found };
  },
});

/** A list of values of a closed set, in words of their own. */
export function choices(key: string, words: Readonly<Record<string, string>>): Wording {
  const longestFirst = Object.entries(words).toSorted(([, a], [, b]) => b.length - a.length);
  const one = (reader: TextReader) => longestFirst.find(([, text]) => reader.take(text))?.[0];
  return {
    print: (fields) => listed((fields[key] as readonly string[]).map((name) => words[name] ?? name)),
    read(reader) {
      const found = readList(reader, () => one(reader));
      return found === undefined ? undefined : { [key]: found };
    },
  };
}

/** A text in quotes. */
export const text = (key: string): Wording => ({
  print: (fields) => JSON.stringify(fields[key]),
  read(reader) {
    const found = reader.quoted();
    return found === undefined ? undefined : { [key]: found };
  },
});

/** Digits without an exponent: the only way in which a rule writes a number. */
export const plainNumber = (value: number): string =>
  value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 9 });

export const number = (key: string): Wording => ({
  print: (fields) => plainNumber(fields[key] as number),
  read(reader) {
    const found = reader.number();
    return found === undefined ? undefined : { [key]: found };
  },
});
