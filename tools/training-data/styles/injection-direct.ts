import { fill, harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { asTyped } from '../words/vary.ts';
import { byHand } from './injection-direct/by-hand.ts';
import { codes } from './injection-direct/codes.ts';
import { shapes } from './injection-direct/shapes.ts';
import { drop, leak, order, pressure, told } from './injection-direct/slots.ts';

const injected: Labels = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

/** Starts each sentence with a capital, which filled templates do not. */
const tidy = (text: string): string =>
  text.replace(/(^|[.!?] )([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

const lowerAfterStart = (text: string): string =>
  text.replace(/(\w,? |and )([A-Z][a-z]+)(?= )/g, (all, before: string, word: string) =>
    drop.some((entry) => entry.startsWith(word)) ? before + word.toLowerCase() : all,
  );

export const style: Style = {
  name: 'injection-direct',
  about:
    'Texts that give a model other orders than its operator did: overrides, new tasks, forged ends of documents and roles, ' +
    'requests for the hidden prompt or a secret, and answers forced into a wanted form. Part written one by one, part ' +
    'sentence shapes filled from hand-written lists.',
  rows(random: Random): Row[] {
    const slots = { drop, told, order, leak, pressure };
    const filled = shapes.flatMap((shape) =>
      Array.from({ length: 8 }, () => tidy(lowerAfterStart(fill(shape, slots, random)))),
    );
    return [...byHand, ...codes, ...filled.map((text) => asTyped(text, random))].map((text) => ({
      text,
      labels: injected,
    }));
  },
};
