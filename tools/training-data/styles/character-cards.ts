import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'character-cards',
  about:
    'Long set-ups for role-play as people paste them: personas that shall have no rules, abusive, hateful and sexual scenes, and for each of them a set-up of the same build with a harmless aim. By hand, whole; no known template is repeated.',
  rows: (random) => expand('character-cards', ['cards'], random, { voiced: 0.2 }),
};
