import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'sexual-graded',
  about:
    'Sexual content between adults by degrees (explicit, offers, hints) and unwanted advances; against them health, sex education, relationships, dating small talk, art, words with two meanings, and safety. By hand; `general_harmful` is not known for plain sexual content.',
  rows: (random) =>
    expand('sexual-graded', ['sexual', 'harmless', 'more', 'more-harmless'], random, { voiced: 0.3 }),
};
