import { expand } from '../expand.ts';
import type { Style } from '../style.ts';
import { capital } from '../voice.ts';

export const style: Style = {
  name: 'hate-turns',
  about:
    'Short statements about people for what they are, hateful; and turns of the same statements: denied, answered, quoted in order to condemn, said by those concerned, friendly, against things, trades and single persons. By hand with slots.',
  rows: (random) =>
    [
      ...expand('hate-turns', ['hateful'], random, { perTemplate: 6, voiced: 0.35 }),
      ...expand('hate-turns', ['turned'], random, { perTemplate: 5, voiced: 0.35 }),
    ].map((row) => (random.next() < 0.75 ? { ...row, text: capital(row.text) } : row)),
};
