import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'prompt-log',
  about:
    'The log of a public chatbot as it might look: hasty, second-language English, orders without a please, bad jokes, tests of the limits. The harmful part stands beside the harmless requests that begin with the same words. By hand.',
  rows: (random) => expand('prompt-log', ['harmful', 'harmless', 'rude', 'plain'], random, { voiced: 0.25 }),
};
