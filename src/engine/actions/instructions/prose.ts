/** What a structured answer has to say: names of fields are no words of anybody. */

const longest = 400_000;
const deepest = 12;
/** Such a name is a sentence, and may be read as one. */
const wordsOfSentence = 4;

const mayBeJson = (text: string): boolean =>
  (/^\s{0,99}\{/.test(text) && /\}\s{0,99}$/.test(text.slice(-100))) ||
  (/^\s{0,99}\[/.test(text) && /\]\s{0,99}$/.test(text.slice(-100)));

function parsed(text: string): unknown {
  if (text.length > longest || !mayBeJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isSentence = (name: string): boolean =>
  name.trim().split(/[\s_]+/, wordsOfSentence).length === wordsOfSentence;

/** Texts that are read of one answer: an object may lead back to itself, and hold the same one a thousand times. */
const mostTexts = 20_000;

function collect(value: unknown, into: string[], depth: number): void {
  if (into.length >= mostTexts) return;
  if (typeof value === 'string') {
    const inner = depth < deepest ? parsed(value) : undefined;
    if (inner === undefined) into.push(value);
    else collect(inner, into, depth + 1);
  } else if (typeof value === 'object' && value !== null && depth < deepest) {
    for (const [name, each] of Object.entries(value)) {
      if (into.length >= mostTexts) return;
      if (!Array.isArray(value) && isSentence(name)) into.push(name);
      collect(each, into, depth + 1);
    }
  }
}

/** Whether it may be a structured answer, which is cheaper to tell than to read it. */
export const mayBeStructured = (output: unknown): boolean =>
  typeof output === 'string' ? mayBeJson(output) : (output ?? undefined) !== undefined;

/** A structured answer as a value; undefined where it is plain text. */
export const parsedOutput = (output: unknown): unknown =>
  typeof output === 'string' ? parsed(output) : (output ?? undefined);

/**
 * The texts in an answer, each on lines of its own; of JSON its values, of anything else all of it. Linear in the length of
 * the answer.
 * @param text the answer in one piece, as far as it is read
 */
export function proseOf(output: unknown, text: string): string {
  const value = parsedOutput(output);
  if (value === undefined) return text;
  const texts: string[] = [];
  collect(value, texts, 0);
  return texts.join('\n').slice(0, text.length);
}

/** Fewer words are a name, a state or a title: a field of a record, and no sentence. */
const fewestSpoken = 4;
/** Scripts that put no blanks between words. */
const unspaced = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/gu;
const fewestUnspaced = 6;

const isSpoken = (line: string): boolean =>
  line === '' ||
  (line.replaceAll(/\S*[@/]\S*/g, ' ').match(/\p{L}{2,}/gu)?.length ?? 0) >= fewestSpoken ||
  (line.match(unspaced)?.length ?? 0) >= fewestUnspaced;

/**
 * What an answer may say to its reader: of a structured one the values that are sentences. Names, addresses and states that
 * stand in fields one below the other read like an order by chance, and are said by nobody.
 * @param prose what `proseOf` made of the text
 */
export const spokenIn = (prose: string, text: string): string =>
  prose === text ? prose : prose.split('\n').filter(isSpoken).join('\n');
