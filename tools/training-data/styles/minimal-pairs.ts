import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'minimal-pairs',
  about:
    'Short plain sentences of each detector and, word for word beside them, a harmless sentence that differs in a word or two. By hand.',
  rows: (random) => expand('minimal-pairs', ['pairs', 'second'], random, { voiced: 0.3 }),
};
