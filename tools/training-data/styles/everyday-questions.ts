import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'everyday-questions',
  about:
    'Short questions of ordinary people on money, dating, the body, law, travel, trades that deal with danger and what groups of people do; turns to an assistant about its own last answer and harmless parts to play; scraps without meaning; and wishes of the same forms that are harmful or reach for the instructions. By hand with slots.',
  rows: (random) => [
    ...expand('everyday-questions', ['harmless'], random, { perTemplate: 7, voiced: 0.5 }),
    ...expand('everyday-questions', ['grave'], random, { perTemplate: 5, voiced: 0.4 }),
  ],
};
