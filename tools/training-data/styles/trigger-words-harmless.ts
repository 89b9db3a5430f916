import { fill, harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { asTyped, withTypos } from '../words/vary.ts';
import { assistants } from './trigger-words-harmless/assistants.ts';
import { codes } from './trigger-words-harmless/codes.ts';
import { everyday } from './trigger-words-harmless/everyday.ts';
import { office } from './trigger-words-harmless/office.ts';
import * as slots from './trigger-words-harmless/shapes.ts';
import { technology } from './trigger-words-harmless/technology.ts';

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const style: Style = {
  name: 'trigger-words-harmless',
  about:
    'Harmless texts full of the words that injections and jailbreaks are made of (ignore, override, system prompt, bypass, ' +
    'root, forget, previous, developer mode): programming, office, medicine, games, talk about chat bots. All 0. Mostly ' +
    'written one by one; the rest fills hand-written sentence shapes.',
  rows(random: Random): Row[] {
    const { shapes, ...lists } = slots;
    const filled = shapes.flatMap((shape) =>
      Array.from({ length: 9 }, () => asTyped(capital(fill(shape, lists, random)), random)),
    );
    const byHand = [...technology, ...office, ...everyday, ...assistants, ...codes];
    const retyped = random.sample(byHand, 110).map((text) => withTypos(text.toLowerCase(), random, 5));
    return [...byHand, ...filled, ...retyped].map((text) => ({ text, labels: harmless() }));
  },
};
