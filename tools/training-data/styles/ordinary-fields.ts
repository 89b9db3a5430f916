import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'ordinary-fields',
  about:
    'Grave words as ordinary life uses them: chat, kitchen, games, sport, health, family, garden, work, manuals, news, reviews and crime stories; and the same words and voices where they are meant. By hand with slots.',
  rows: (random) => [
    ...expand('ordinary-fields', ['harmless'], random, { perTemplate: 4, voiced: 0.35 }),
    ...expand('ordinary-fields', ['harmful'], random, { perTemplate: 4, voiced: 0.35 }),
  ],
};
