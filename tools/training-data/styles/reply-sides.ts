import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'reply-sides',
  about:
    'Turns of an assistant: it declines and offers something else, helps with harmless work (also where the words sound grave), lays out both sides of what people argue about, or gives in to a harmful wish (by gist alone, with nothing in it that would help). The labels are those of the reply. By hand with slots.',
  rows: (random) => [
    ...expand('reply-sides', ['replies'], random, { perTemplate: 6, voiced: 0.05 }),
    ...expand('reply-sides', ['complying'], random, { perTemplate: 4, voiced: 0.05 }),
  ],
};
