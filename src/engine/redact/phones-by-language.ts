/** Telephone numbers as they are written in Spanish, Italian, Portuguese and Dutch, with and without a word before them. */
import type { Shape } from './finding.ts';
import { beforeOtherNumber, unitBehind } from './other-numbers.ts';

const ofLength = (least: number, most: number) => (value: string) => {
  const { length } = value.replaceAll(/\D/g, '');
  return length >= least && length <= most;
};

/** Words before a number that make it a telephone number. */
const callWords = [
  // In several languages
  'tel(?:ef)?|tel[ée]f(?:ono|one)|whats ?app|wa|sms|telegram|mobile|fax|contact[oe]?|tlf|mob',
  // Spanish
  'm[óo]vil|celular|cel|tfno|tel[ée]f|fijo|fono|n[úu]mero|ll[áa]m(?:a|e)(?:r|me|le|nos|dme|rme)?|m[áa]rc(?:a|e)me|localizar(?:me|lo|la|nos)?|contactar(?:me|nos)?|escr[íi]b[ae]me',
  // Italian
  'cellulare|cell|numero|utenza|chiam(?:a|i|ar|at)(?:e|mi|emi|ci)?|recapito|fisso|raggiungibil[ei]|contattar(?:e|mi|ci)|scriv(?:i|ete)mi|richiam(?:i|are|atemi)',
  // Portuguese
  'telem[óo]vel|telemovel|tlm|telef|fixo|fone|zap|lig(?:ar?|ue|a-me|uem|uem-me|ue-me)|contactem|contatar|falar?|fale',
  // Dutch
  'telefoon(?:nummer)?|mobiel|gsm|nummer|noodnummer|bel(?:len|t|letje)?|bereik(?:en|baar|t)|vaste lijn|thuis|app(?:en|je)?',
].join('|');

/** Between the word and the number may stand hours: "call from 9 to 14 on". */
const beforeNumber = new RegExp(
  `(?<![\\p{L}])(?:${callWords})(?!\\p{L})(?:[^\\d\\n]{0,18}(?<!\\d)\\d{1,2}(?!\\d)){0,2}[^\\d\\n]{0,24}$`,
  'iu',
);

/** Number plans: prefix and grouping tell a telephone number where no word does. */
const plans = [
  // Spain: mobile 6 and 7, land lines 8 and 9, in threes or as 3-2-2-2 and 2-3-2-2.
  '[67]\\d{2}(?:[ .-]\\d{3}[ .-]\\d{3}|(?:[ .-]\\d{2}){3})',
  '9\\d{2}(?:[ .]\\d{2}){3}',
  '9[1-8][ .]\\d{3}[ .]\\d{2}[ .]\\d{2}',
  // Italy: mobile 3.
  '3[2-9]\\d[ ./-]\\d{3}[ ./-]?\\d{3,4}',
  '3[2-9]\\d[ ./-]\\d{2}[ .-]\\d{2}[ .-]\\d{3}',
  // Portugal: mobile 91, 92, 93 and 96; Lisbon and Porto 2-3-2-2.
  '9[1236]\\d[ .]\\d{3}[ .]\\d{3}',
  '2[12][ .]\\d{3}[ .]\\d{2}[ .]\\d{2}',
  // Brazil: two digits of the area, the mobile number has a 9 first.
  '\\(?\\d{2}\\)? ?9 ?\\d{4}[ -]\\d{4}',
  '\\(\\d{2}\\) ?[2-5]\\d{3}[ -]\\d{4}',
  // Netherlands: mobile 06 and eight digits, grouped at will; Belgium: mobile 04 and eight digits.
  '06(?: ?- ?|[ .])?\\d{8}',
  '06(?:(?: ?- ?|[ .])\\d{1,4}){3,5}',
  '04\\d{2}[ /.](?:\\d{2}[ .]?){3}(?<! )',
  '04\\d{2}[ /.]\\d{3}[ .]\\d{3}',
].join('|');

export const phonesByLanguage: readonly Shape[] = [
  {
    kind: 'phone',
    type: 'mobile',
    shape: new RegExp(`(?<![\\w.,/+€$-])(?<!\\d )(?:${plans})(?![\\w%€$-])(?!,\\d)${unitBehind}`, 'dg'),
    check: ofLength(9, 11),
    notAfter: beforeOtherNumber,
  },
  {
    kind: 'phone',
    type: 'national',
    shape: new RegExp(`(?<![\\w.,/+-])\\(?\\d[\\d ()./-]{6,16}\\d(?![\\w-])${unitBehind}`, 'dg'),
    check: (value) => ofLength(8, 12)(value) && !/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(value.trim()),
    after: beforeNumber,
    notAfter: beforeOtherNumber,
  },
];
