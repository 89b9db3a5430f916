import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'public-comments',
  about:
    'Comments under articles, videos and posts: hate, abuse, threats and dangerous advice; against them sharp but fair criticism, politics and religion argued hard, and warmth. By hand, no real persons.',
  rows: (random) => expand('public-comments', ['harmful', 'harmless', 'second'], random, { voiced: 0.35 }),
};
