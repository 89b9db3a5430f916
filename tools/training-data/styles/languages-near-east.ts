import type { Style } from '../style.ts';
import { arabic } from './languages/arabic.ts';
import { hindi } from './languages/hindi.ts';
import { turkish } from './languages/turkish.ts';
import { aboutLanguages, languageRows } from './languages/language-rows.ts';

export const style: Style = {
  name: 'languages-near-east',
  about: `Turkish, Arabic and Hindi. ${aboutLanguages}`,
  rows: (random) => languageRows([turkish, arabic, hindi], random),
};
