import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'hate-pairs',
  about:
    'Plain sentences in pairs: contempt, dehumanising, exclusion and threats against people for what they are, some with letters changed; and the same shapes against things and trades, in praise, negated, quoted, and answered. By hand with slots.',
  rows: (random) => expand('hate-pairs', ['pairs'], random, { perTemplate: 6, voiced: 0.3 }),
};
