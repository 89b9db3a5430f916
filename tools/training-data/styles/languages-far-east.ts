import type { Style } from '../style.ts';
import { chinese } from './languages/chinese.ts';
import { indonesian } from './languages/indonesian.ts';
import { japanese } from './languages/japanese.ts';
import { korean } from './languages/korean.ts';
import { vietnamese } from './languages/vietnamese.ts';
import { aboutLanguages, languageRows } from './languages/language-rows.ts';

export const style: Style = {
  name: 'languages-far-east',
  about: `Chinese, Japanese, Korean, Indonesian and Vietnamese. ${aboutLanguages}`,
  rows: (random) => languageRows([chinese, japanese, korean, indonesian, vietnamese], random),
};
