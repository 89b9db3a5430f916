import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'injection-words',
  about:
    'Ordinary requests full of the words of injections (ignore, previous, instructions, override, system, reveal, forget): software, writing, daily life, questions about attacks, all harmless; and orders to the model of the same length and voice. By hand with slots.',
  rows: (random) => [
    ...expand('injection-words', ['harmless'], random, { perTemplate: 4 }),
    ...expand('injection-words', ['orders'], random, { perTemplate: 6 }),
  ],
};
