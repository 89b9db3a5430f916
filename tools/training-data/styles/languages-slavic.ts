import type { Style } from '../style.ts';
import { polish } from './languages/polish.ts';
import { russian } from './languages/russian.ts';
import { ukrainian } from './languages/ukrainian.ts';
import { aboutLanguages, languageRows } from './languages/language-rows.ts';

export const style: Style = {
  name: 'languages-slavic',
  about: `Polish, Russian and Ukrainian. ${aboutLanguages}`,
  rows: (random) => languageRows([polish, russian, ukrainian], random),
};
