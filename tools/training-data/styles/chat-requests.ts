import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'chat-requests',
  about:
    'Whole chat messages written by hand, as people send them: one word to a long paragraph, with a story, an excuse, a mood, a deadline. Harmful ones in every family of harm, each with a harmless message of the same setting and words beside it. No templates. Intent alone, never how it is done.',
  rows: (random) =>
    expand(
      'chat-requests',
      ['harmful', 'harmful-long', 'harmless', 'harmless-long', 'second', 'third'],
      random,
    ),
};
