import { expand } from '../expand.ts';
import { linesOf, readSeeds } from '../seeds.ts';
import type { Row, Style } from '../style.ts';

export const style: Style = {
  name: 'comment-threads',
  about:
    'Comments under news, matches, games, recipes and reviews: ordinary ones, hard politics, counter-speech, quotes by those who were abused, kind and unkind swearing, hyperbole, reports of violence, health, recovery; and insults open and veiled, threats, hate open and dressed up, sexual remarks, despair, offers. A third has a sentence before or after that says nothing. By hand with slots.',
  rows(random) {
    const around = readSeeds('comment-threads', 'around');
    const before = linesOf(around, 'before');
    const after = linesOf(around, 'after');
    const framed = (row: Row): Row => {
      const roll = random.next();
      if (roll < 0.14) return { ...row, text: `${random.pick(before)} ${row.text}` };
      if (roll < 0.3) return { ...row, text: `${row.text} ${random.pick(after)}` };
      return row;
    };
    return [
      ...expand('comment-threads', ['more'], random, { voiced: 0.25 }),
      ...expand('comment-threads', ['plain'], random, { perTemplate: 6, voiced: 0.35 }),
      ...expand('comment-threads', ['grave'], random, { perTemplate: 6, voiced: 0.35 }),
    ].map(framed);
  },
};
