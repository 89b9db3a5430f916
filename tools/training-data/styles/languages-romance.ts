import type { Style } from '../style.ts';
import { french } from './languages/french.ts';
import { italian } from './languages/italian.ts';
import { portuguese } from './languages/portuguese.ts';
import { spanish } from './languages/spanish.ts';
import { aboutLanguages, languageRows } from './languages/language-rows.ts';

export const style: Style = {
  name: 'languages-romance',
  about: `French, Spanish, Italian and Portuguese. ${aboutLanguages}`,
  rows: (random) => languageRows([french, spanish, italian, portuguese], random),
};
