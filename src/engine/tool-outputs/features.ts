import { namesReader, signs } from './signs.ts';

/** A sentence that names a reading program, with what stands around it. */
export interface Passage {
  readonly sentence: string;
  readonly features: Float64Array;
}

const invisible = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF\u202A-\u202E\u2066-\u2069\u{E0100}-\u{E01EF}]/gu;
const tagCharacters = /[\u{E0020}-\u{E007E}]+/gu;
const longestSentence = 400;
const sentencesAfter = 2;

/** The text as a model reads it: without invisible characters, and what is spelled in tag characters as letters. */
const legible = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(tagCharacters, (spelled) =>
      Array.from(spelled, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0xe0000)).join(''),
    );

/** Sentences, lines and parts of JSON; long ones are cut, with an overlap. */
function* sentencesOf(text: string): Generator<string> {
  for (const match of text.matchAll(/[^.!?。！？\n\r]+(?:[.!?。！？](?=\S)[^.!?。！？\n\r]+)*[.!?。！？]*/gu)) {
    const sentence = match[0].trim();
    if (sentence === '') continue;
    for (let at = 0; at === 0 || at + 80 < sentence.length; at += longestSentence - 80)
      yield sentence.slice(at, at + longestSentence);
  }
}

/** A doubled whole of the passages that name a reader: the only ones that are judged. Linear in the text's length. */
export function* passagesOf(text: string): Generator<Passage> {
  const window: string[] = [];
  const judged = function* (): Generator<Passage> {
    const [sentence = ''] = window;
    if (namesReader.test(sentence)) yield { sentence, features: featuresOf(sentence, window.join(' ')) };
  };
  for (const sentence of sentencesOf(legible(text))) {
    window.push(sentence);
    if (window.length <= sentencesAfter) continue;
    yield* judged();
    window.shift();
  }
  while (window.length > 0) {
    yield* judged();
    window.shift();
  }
}

/** One for each sign, and one for a passage that both calls the reader and asks for something. */
export function featuresOf(sentence: string, passage: string): Float64Array {
  const features = new Float64Array(signs.length);
  for (const [at, { within, pattern }] of signs.entries())
    if (pattern.test(within === 'passage' ? passage : sentence)) features[at] = 1;
  return features;
}
