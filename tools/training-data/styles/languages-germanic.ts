import type { Style } from '../style.ts';
import { dutch } from './languages/dutch.ts';
import { german } from './languages/german.ts';
import { swedish } from './languages/swedish.ts';
import { aboutLanguages, languageRows } from './languages/language-rows.ts';

export const style: Style = {
  name: 'languages-germanic',
  about: `German, Dutch and Swedish. ${aboutLanguages}`,
  rows: (random) => languageRows([german, dutch, swedish], random),
};
