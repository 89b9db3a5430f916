import { expand } from '../expand.ts';
import { readSeeds } from '../seeds.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { capital } from '../voice.ts';

const capitalised = (rows: readonly Row[], random: Random): Row[] =>
  rows.map((row) => (random.next() < 0.8 ? { ...row, text: capital(row.text) } : row));

/** The language is the end of the section's name: `orders-de`. */
const abroad = (): Row[] =>
  readSeeds('override-wordings', 'abroad').map(({ section, text, labels }) => {
    const lang = section.split('-')[1];
    return lang === undefined || lang === 'other' ? { text, labels } : { text, labels, lang };
  });

export const style: Style = {
  name: 'override-wordings',
  about:
    'Orders of a user against those of the operator: in the middle of ordinary questions, as false news of a changed task, as games for a code, politely, bluntly, obliquely; and harmless texts with the same words and shapes: documents, software, families, rules of games, questions on how models take orders. English by hand with slots, eight other languages by hand.',
  rows: (random) => [
    ...capitalised(expand('override-wordings', ['orders'], random, { perTemplate: 5 }), random),
    ...capitalised(expand('override-wordings', ['twins'], random, { perTemplate: 5 }), random),
    ...abroad(),
  ],
};
