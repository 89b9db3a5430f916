import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'alarming-words',
  about:
    'Questions that sound grave and are not: processes, photographs, exams, atrocities in history lessons, villains, old weapons, games, medicines, poisoned pets, the law, safety, well-known people, kitchens, sport, the stage, money, idioms; and questions with the same words in which the act is meant. By hand with slots.',
  rows: (random) => [
    ...expand('alarming-words', ['harmless'], random, { perTemplate: 5, voiced: 0.45 }),
    ...expand('alarming-words', ['harmful'], random, { perTemplate: 4, voiced: 0.45 }),
  ],
};
