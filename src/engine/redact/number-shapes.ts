/** Patterns of card numbers, account numbers and national ids. */
import {
  ibanLength,
  isAustralianTaxId,
  isBelgianId,
  isBrazilianId,
  isBritishHealthId,
  isCardNumber,
  isChineseId,
  isDutchId,
  isFinnishId,
  isFrenchId,
  isGermanTaxId,
  isIban,
  isIndianId,
  isItalianId,
  isPolishId,
  isSpanishId,
  isSwissId,
  passesLuhn,
} from './checksums.ts';
import { type Finding, matchesSome, type Shape } from './finding.ts';

const bare = (text: string) => text.replaceAll(/[\s./-]/g, '');
const bared = (check: (id: string) => boolean) => (value: string) => check(bare(value));

const id = (type: string, shape: RegExp, check?: Shape['check'], after?: RegExp, needs?: RegExp): Shape => ({
  kind: 'national_id',
  type,
  shape,
  ...(check && { check }),
  ...(after && { after }),
  ...(needs && { needs }),
});

/** Whether it is a valid date: month 1–12, day 1–31. */
const isDay = (month: string, day: string) =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;

const isAmerican = (value: string) => !/^(?:000|666|9)|^...-?00|0000$/.test(value);
const isBritish = (value: string) => !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/i.test(value);
const isSwedish = (value: string) => {
  const number = value.replaceAll(/\D/g, '').slice(-10);
  return isDay(number.slice(2, 4), number.slice(4, 6)) && passesLuhn(number);
};
const isChinese = (value: string) => isDay(value.slice(10, 12), value.slice(12, 14)) && isChineseId(value);

/** How many digits in a row they have at least where it is not seven; those of passports and licences stand between letters. */
const fewerDigits: Readonly<Record<string, number>> = { uk_nino: 6, passport: 0, driving_licence: 0 };

/** A number stands right behind its word, and hardly anything else of the text need be looked at. */
const behindWord = 300;
const aroundWord = ({ needs }: Shape): Pick<Shape, 'anchor'> =>
  needs === undefined ? {} : { anchor: { part: new RegExp(needs.source, 'gi'), reach: behindWord } };

/** Where each of the signs ends. */
function endsOf(run: string, isSign: (unit: number) => boolean): number[] {
  const ends: number[] = [];
  for (let at = 0; at < run.length; at++) if (isSign(run.charCodeAt(at))) ends.push(at + 1);
  return ends;
}
const isDigit = (unit: number) => unit >= 48 && unit <= 57;
const isLetterOrDigit = (unit: number) => isDigit(unit) || ((unit | 32) >= 97 && (unit | 32) <= 122);

/** Numbers with a form or a check digit of their own, and those that need a word before them. */
export const idShapes: readonly Shape[] = [
  id('us_ssn', /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/dg, isAmerican),
  id('us_ssn', /(?<!\w)\d{3} ?\d{2} ?\d{4}(?!\w)/dg, isAmerican, /\b(?:ssn|social security)\b/i),
  id('us_itin', /(?<![\w-])9\d{2}-[5-9]\d-\d{4}(?![\w-])/dg),
  id('uk_nino', /\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/dgi, isBritish),
  id('uk_nhs', /(?<!\w)\d{3}[ -]?\d{3}[ -]?\d{4}(?!\w)/dg, bared(isBritishHealthId), /\bnhs\b/i),
  id(
    'de_tax_id',
    /(?<!\w)\d{2} ?\d{3} ?\d{3} ?\d{3}(?!\w)/dg,
    bared(isGermanTaxId),
    /steuer|\btax\b|\bidnr|\btin\b/i,
  ),
  id(
    'fr_nir',
    /(?<!\w)[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/dgi,
    bared(isFrenchId),
  ),
  id('es_dni', /\b\d{8}-?[A-HJ-NP-TV-Z]\b/dgi, bared(isSpanishId)),
  id('es_nie', /\b[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]\b/dgi, bared(isSpanishId)),
  {
    ...id('it_codice_fiscale', /\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/dgi, isItalianId),
    anchor: { part: /\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}/gi, reach: 60 },
  },
  id('nl_bsn', /(?<!\w)\d{3}[ .]?\d{3}[ .]?\d{3}(?!\w)/dg, bared(isDutchId), /\bbsn\b|burgerservice|\bsofi/i),
  id('be_nrn', /(?<!\w)\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?!\w)/dg, bared(isBelgianId)),
  id('pl_pesel', /(?<!\w)\d{11}(?!\w)/dg, isPolishId, /\bpesel\b/i),
  id('se_personnummer', /(?<!\w)(?:19|20)?\d{6}[-+]\d{4}(?!\w)/dg, isSwedish),
  id('fi_hetu', /\b[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]\b/dgi, isFinnishId),
  id('ch_ahv', /(?<!\w)756\.?\d{4}\.?\d{4}\.?\d{2}(?!\w)/dg, bared(isSwissId)),
  id('br_cpf', /(?<!\w)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\w)/dg, bared(isBrazilianId)),
  id('br_cpf', /(?<!\w)\d{11}(?!\w)/dg, isBrazilianId, /\bcpf\b/i),
  id('in_aadhaar', /(?<![\d-])(?<!\d )[2-9]\d{3}[ -]\d{4}[ -]\d{4}(?![ -]?\d)/dg, bared(isIndianId)),
  id('in_aadhaar', /(?<!\w)[2-9]\d{11}(?!\w)/dg, isIndianId, /aadhaar|uidai/i),
  id('ca_sin', /(?<!\w)\d{3}[ -]?\d{3}[ -]?\d{3}(?!\w)/dg, bared(passesLuhn), /\bsin\b|social insurance/i),
  id('au_tfn', /(?<!\w)\d{3} ?\d{3} ?\d{3}(?!\w)/dg, bared(isAustralianTaxId), /\btfn\b|tax file/i),
  id('cn_resident_id', /(?<!\w)[1-9]\d{5}(?:19|20)\d{9}[\dX](?!\w)/dgi, isChinese),
  id(
    'passport',
    /\b[A-Z0-9]{6,9}\b/dgi,
    (value) => /\d.*\d.*\d/.test(value),
    /\b(?:passport|reisepass|passeport|pasaporte|passaporto)(?: (?:no|number|nr|num(?:é|e)ro|n[uú]mero))?\b[\s.:#°ºis-]{0,8}$/i,
    /pass|pasaporte/i,
  ),
  id(
    'driving_licence',
    /\b[A-Z0-9]{1,5}[A-Z0-9-]{4,15}\d[A-Z0-9]{0,3}\b/dgi,
    (value) => /\d{3}/.test(value),
    /\b(?:driver'?s?|driving) licen[cs]e(?: (?:no|number))?\b[\s.:#is-]{0,8}$/i,
    /licen[cs]e/i,
  ),
].map((shape) => ({ ...shape, ...aroundWord(shape), digits: fewerDigits[shape.type] ?? 7 }));

const groups = /(?<![\w.,])\d(?:[ -]?\d){11,18}(?![\w])/dg;

/** Cards: a run of digits may hold more than the card, such as a date after it. */
export function* cardsIn(text: string): Generator<Finding> {
  if (!matchesSome(groups, text)) return;
  for (const { 0: run, index } of text.matchAll(groups)) {
    const ends = endsOf(run, isDigit);
    for (let length = Math.min(19, ends.length); length >= 13; length--) {
      const end = ends[length - 1] ?? 0;
      if (/\d/.test(run.charAt(end)) || !isCardNumber(bare(run.slice(0, end)))) continue;
      yield { kind: 'payment_card', type: 'payment_card', start: index, end: index + end };
      break;
    }
  }
}

const ibanShape = /(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/dgi;

/** Bank accounts: the country determines the length of the number. */
export function* ibansIn(text: string): Generator<Finding> {
  if (!matchesSome(ibanShape, text)) return;
  for (const { 0: run, index } of text.matchAll(ibanShape)) {
    const wanted = ibanLength(run.slice(0, 2).toUpperCase());
    if (wanted === undefined) continue;
    const ends = endsOf(run, isLetterOrDigit);
    const end = ends[wanted - 1];
    if (end === undefined || /\w/.test(text.charAt(index + end)) || !isIban(bare(run.slice(0, end))))
      continue;
    yield { kind: 'iban', type: run.slice(0, 2).toLowerCase(), start: index, end: index + end };
  }
}
