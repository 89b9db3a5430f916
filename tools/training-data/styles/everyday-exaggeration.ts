import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'everyday-exaggeration',
  about:
    'Death, murder, pain and the end as people use them of jokes, sport, tiredness, food and printers, and of pain that has gone; and short sentences in which they are meant. By hand with slots.',
  rows: (random) => expand('everyday-exaggeration', ['lines'], random, { perTemplate: 4, voiced: 0.5 }),
};
