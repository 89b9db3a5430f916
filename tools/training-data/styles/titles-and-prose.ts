import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'titles-and-prose',
  about:
    'Titles of posts, headlines and single sentences of stories: much talk of death, war, theft and love that harms nobody, and a smaller part of titles that do. By hand; the sentences are from no book.',
  rows: (random) => expand('titles-and-prose', ['lines'], random, { voiced: 0.2 }),
};
