import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'profanity-graded',
  about:
    'Bad language by degrees: abuse of a person, mild insults, swearing at things, friendly swearing, mild words (not known), quoted and discussed swear words (not known), and clean: anger without a bad word, innocent words that filters stumble over, kind sentences with insults denied. By hand; a part by templates with slots.',
  rows: (random) =>
    expand('profanity-graded', ['rude', 'clean', 'more'], random, { voiced: 0.35, perTemplate: 4 }),
};
