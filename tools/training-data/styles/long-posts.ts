import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'long-posts',
  about:
    'Posts of 80 to 160 words in a quiet voice: contempt, plans, confessions and farewells that need no bad word, and for each of them a post that starts with the same sentences and goes another way. By hand.',
  rows: (random) => expand('long-posts', ['posts'], random, { voiced: 0.15 }),
};
