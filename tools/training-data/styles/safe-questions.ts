import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'safe-questions',
  about:
    'Harmless questions that sound dangerous (homonyms, safety, history, law, fiction), and dangerous ones in the same short form, so that the verb alone never decides. By hand.',
  rows: (random) => expand('safe-questions', ['questions', 'second'], random, { voiced: 0.3 }),
};
