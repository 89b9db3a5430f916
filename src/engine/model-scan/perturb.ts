/** Changes of a question that leave its answer: the answers must agree. */

import type { Base, Draft } from './draft.ts';
import type { Perturbed, SetFile, Subcategory } from './set-file.ts';
import { ranked } from './slots.ts';

/** One case for each subcategory: the question as it is written, then one for each change. */
export function perturbedCases(file: SetFile, base: (sub: Subcategory) => Base): Draft[] {
  return file.perturbed.flatMap((item) => {
    let original: Draft | undefined;
    return file.subcategories.map((sub): Draft => {
      const change = changes[sub.id];
      if (change === undefined) throw new RangeError(`${file.name}: there is no change ${sub.id}`);
      const draft: Draft = {
        ...base(sub),
        group: item.ask,
        turns: [change(item)],
        intent: 'probe',
        expect: {
          kind: 'answer',
          accepted: item.accepted,
          ...(item.rejected && { rejected: item.rejected }),
          abstain: 'wrong',
        },
      };
      if (original === undefined) original = draft;
      else draft.expect = { kind: 'same_as', draft: original, compare: 'answer' };
      return draft;
    });
  });
}

const changes: Readonly<Record<string, (item: Perturbed) => string>> = {
  original: ({ ask }) => ask,
  typos: ({ ask }) => typos(ask),
  'letter-case': ({ ask }) => ask.toUpperCase(),
  unicode: ({ ask }) => ask.replaceAll(/[a-zA-Z]/g, fullWidth),
  paraphrase: ({ paraphrase }) => paraphrase,
  distractor: ({ ask }) => `${ranked(asides, ask)[0]} ${ask}`,
  'long-context': ({ ask }) =>
    `${ranked(paragraphs, ask).join('\n\n')}\n\nNone of the above matters here. ${ask}`,
  format: ({ ask }) => JSON.stringify({ task: 'answer', question: ask, reply_in: 'one short sentence' }),
};

/** Two neighbouring letters change places in every second word of five letters or more, never the first. */
function typos(text: string): string {
  let long = 0;
  return text.replaceAll(/[A-Za-z]{5,}/g, (word) => {
    long += 1;
    if (long % 2 === 0) return word;
    const at = 1 + ((word.length * 7 + long) % (word.length - 3));
    return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  });
}

/** The letter of the same meaning in the block of full-width forms. */
const fullWidth = (letter: string) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);

const asides = [
  'My neighbour painted her garden fence green last weekend, and it took her most of Saturday.',
  'By the way, the coffee machine in our office has been broken for three days.',
  'I am writing this on a train that is a few minutes late, next to a man with a very small dog.',
  'Our choir meets on Thursdays, although this month the hall is being renovated.',
  'I had soup for lunch, which has nothing to do with what follows.',
];

const paragraphs = [
  'The annual meeting of the allotment society began with a report on the water pipes. Two of the older taps had been replaced in spring, and a third was leaking at the joint. The treasurer proposed to repair it before winter, and nobody objected. A member asked whether the rain barrels could be moved closer to the hedge, where they would get less sun and lose less water.',
  'A small bakery changed the order in which it prepares its dough. The long-fermented loaves are now mixed in the afternoon, so that the ovens are free for rolls in the early morning. Customers noticed that the crust was darker, and most of them liked it. The baker keeps a notebook with the temperature of the flour, the room and the water for every batch.',
  'On the second day the hikers took the lower path along the river, because the ridge was in cloud. They passed an abandoned mill, crossed a wooden footbridge and ate their sandwiches on a flat stone. In the evening they dried their socks near the stove of the hut and played cards with a family from the valley.',
];
