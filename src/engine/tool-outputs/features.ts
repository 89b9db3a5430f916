import { namesReader, signs } from './signs.ts';

/** A sentence that names a reading program, with what stands around it. */
export interface Passage {
  readonly sentence: string;
  readonly features: Float64Array;
}

// oxlint-disable-next-line no-misleading-character-class -- each is looked for by itself.
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
  for (const match of text.matchAll(
    /[^.!?。！？\n\r]+(?:[.!?。！？](?=\S)[^.!?。！？\n\r]+)*[.!?。！？]*/gu,
  )) {
    const sentence = match[0].trim();
    if (sentence === '') continue;
    for (let at = 0; at === 0 || at + 80 < sentence.length; at += longestSentence - 80)
      yield sentence.slice(at, at + longestSentence);
  }
}

/** The passages that name a reader, the only ones that are judged. Linear in the text's length. */
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

/** Signs that mean more together than by themselves. */
const pairs: readonly (readonly [string, string])[] = [
  ['clear-reader', 'called'],
  ['clear-reader', 'does'],
  ['clear-reader', 'modal'],
  ['clear-reader', 'imperative-here'],
  ['called', 'imperative-here'],
  ['called', 'risky'],
  ['clear-reader', 'risky'],
  ['clear-reader', 'owner'],
  ['quoted', 'told-of'],
  ['quoted', 'past'],
  ['technical', 'does'],
  ['technical', 'clear-reader'],
];

const place = new Map(signs.map(({ id }, at) => [id, at]));
const pairPlaces = pairs.map(([a, b]) => [place.get(a) ?? 0, place.get(b) ?? 0] as const);

/** One for each sign that the passage bears, and for each pair of them. */
function featuresOf(sentence: string, passage: string): Float64Array {
  const features = new Float64Array(signs.length + pairs.length);
  for (const [at, { within, pattern }] of signs.entries())
    if (pattern.test(within === 'passage' ? passage : sentence)) features[at] = 1;
  for (const [at, [a, b]] of pairPlaces.entries())
    features[signs.length + at] = (features[a] ?? 0) * (features[b] ?? 0);
  return features;
}
