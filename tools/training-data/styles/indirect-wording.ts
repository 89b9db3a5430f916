import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'indirect-wording',
  about:
    'Wishes that are not said out loud: asking for a friend, hypothetical, euphemisms, games with names, questions cut into steps, excuses. Every turn of phrase is used for harmful and for harmless ends, often with half of the words in common. By hand.',
  rows: (random) => expand('indirect-wording', ['harmful', 'harmless'], random, { voiced: 0.3 }),
};
