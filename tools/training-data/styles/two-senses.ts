import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'two-senses',
  about:
    'Short questions with grave words that mean trades, kitchens, gardens, software, games, history, law, health and protection; and questions of the same shape in which they are meant. By hand with slots.',
  rows: (random) => [
    ...expand('two-senses', ['harmless'], random, { perTemplate: 5 }),
    ...expand('two-senses', ['harmful'], random, { perTemplate: 5 }),
  ],
};
