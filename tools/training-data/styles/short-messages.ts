import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'short-messages',
  about:
    'Messages of one to ten words: greetings, farewells, moods, remarks and one-word turns, all harmless; and as short ones that are not: crisis, threats, abuse, wishes for crimes. By hand with a few slots, so that a short text is judged by what it says.',
  rows: (random) => [
    ...expand('short-messages', ['harmless'], random, { perTemplate: 4, voiced: 0.5 }),
    ...expand('short-messages', ['grave'], random, { perTemplate: 3, voiced: 0.5 }),
  ],
};
