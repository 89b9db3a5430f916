import { readSeeds } from '../seeds.ts';
import type { Style } from '../style.ts';

const rowsOf = (part: string) =>
  readSeeds('statements-abroad', part).map(({ section, text, labels }) => ({
    text,
    labels,
    lang: section.slice(0, 2),
  }));

export const style: Style = {
  name: 'statements-abroad',
  waiting: true,
  about:
    'Threats, contempt, abuse, sex, despair and wishes for crimes as people say them in German, Dutch, Spanish, French, Italian, Portuguese, Polish, Turkish, Japanese and Chinese, and the same subjects said harmlessly. By hand.',
  rows: () => [...rowsOf('germanic-romance'), ...rowsOf('further')],
};
