import { expand } from '../expand.ts';
import type { Row, Style } from '../style.ts';
import { capital } from '../voice.ts';

export const style: Style = {
  name: 'document-orders',
  about:
    'Sentences of mails, news, manuals, code, tables and reviews that ask or order something of their readers, alone and a few in a row: what hidden injections have to be told from. All harmless. By hand with slots.',
  rows(random) {
    const single = expand('document-orders', ['lines'], random, { perTemplate: 5, voiced: 0.15 }).map(
      (row): Row => ({ ...row, text: capital(row.text) }),
    );
    const joined = Array.from({ length: 160 }, (): Row => {
      const parts = random.sample(single, 3 + random.below(4)).map(({ text }) => text);
      return {
        text: parts.join(random.pick([' ', '\n', '\n\n'])),
        labels: single[0]?.labels ?? random.pick(single).labels,
      };
    });
    return [...single, ...joined];
  },
};
