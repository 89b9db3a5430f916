/**
 * Numbers and currencies of a sentence that a form does not have. Words may be said otherwise in a form; a limit may not:
 * a form that leaves it out, or has another, is not what the sentence means.
 */
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';
import { numberOf, type Word, wordsOf } from './sentence-words.ts';

const currencies: readonly (readonly [code: string, said: RegExp])[] = [
  ['EUR', /^(?:€.*|euros?|eur)$/],
  ['USD', /^(?:\$.*|dollars?|usd)$/],
  ['GBP', /^(?:£.*|gbp|sterling)$/],
  ['JPY', /^(?:¥.*|yen|jpy)$/],
  ['CHF', /^(?:francs?|chf)$/],
  ...['CAD', 'AUD', 'NZD', 'CNY', 'INR', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'].map(
    (code) => [code, new RegExp(`^${code.toLowerCase()}$`)] as const,
  ),
];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string')
    return (value.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** "More than three" may be kept as over 3, as 4 and more; a time of day as its minutes; 10 % as a factor of .1 or 1.1. */
function keptIn(form: RuleForm): ReadonlySet<number> {
  const kept = new Set(numbersIn(partsOf(form)).map(Math.abs));
  for (const one of partsOf(form).flatMap(predicatesOf)) {
    if (one.is === 'repeat' || one.is === 'count') kept.add(one.over + 1);
    if (one.is === 'time')
      for (const minutes of [one.from, one.to]) kept.add(Math.floor(minutes / 60)).add((minutes / 60) % 12);
  }
  return kept;
}

const isKept = (number: number, kept: ReadonlySet<number>): boolean =>
  [number, number / 100, 1 + number / 100, 1 - number / 100].some((one) =>
    [...kept].some((other) => Math.abs(one - other) < 1e-6),
  );

const isLostCurrency = ({ plain }: Word, said: readonly string[]): boolean => {
  const code = currencies.find(([, shape]) => shape.test(plain))?.[0];
  const shape = currencies.find(([name]) => name === code)?.[1];
  return (
    code !== undefined &&
    !said.some((text) =>
      text
        .toLowerCase()
        .split(/[^a-z$€£¥]+/)
        .some((word) => word !== '' && shape?.test(word) === true),
    )
  );
};

/** The numbers and currencies of a sentence that have no place in its form. */
export function lostNumbersOf(sentence: string, form: RuleForm): string[] {
  const kept = keptIn(form);
  const said = textsIn(partsOf(form));
  return wordsOf(sentence)
    .filter((word) => {
      const number = numberOf(word.plain);
      // "In one call", "the official one": hardly ever a limit.
      const isLost = number !== undefined && word.plain !== 'one' && !isKept(number, kept);
      return isLost || isLostCurrency(word, said);
    })
    .map(({ text }) => text);
}
