import type { Call } from '../../actions/calls/call.ts';
import { currencyCode, quantitiesIn, readQuantity } from '../../actions/calls/quantity.ts';
import { nameWords } from '../../actions/words.ts';

/** The currency that a call names: by an argument for it, in the name of one (`amount_usd`), or by a sign. */
export function currencyOf({ leaves }: Pick<Call, 'leaves'>): string | undefined {
  for (const { key, text } of leaves) {
    const named = /currency/i.test(key)
      ? currencyCode(text)
      : nameWords(key)
          .map(currencyCode)
          .find((code) => code !== undefined);
    if (named !== undefined) return named;
  }
  for (const { text, key } of leaves) {
    if (!/amount|price|total|sum|cost|fee|refund|payment/i.test(key)) continue;
    const found = readQuantity(text)?.currency ?? quantitiesIn(text, 60)[0]?.currency;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What one unit is worth in US dollars, roughly, over the years 2015 to 2025: orders of size and no rates, for which the
 * margin stands. Currencies that move more are left out.
 */
const worth: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.12,
  GBP: 1.3,
  CHF: 1.08,
  CAD: 0.75,
  AUD: 0.7,
  NZD: 0.65,
  JPY: 0.0083,
  CNY: 0.145,
  INR: 0.0135,
  SEK: 0.108,
  NOK: 0.108,
  DKK: 0.15,
  PLN: 0.255,
  CZK: 0.043,
  HUF: 0.0032,
  BRL: 0.23,
  MXN: 0.053,
  ZAR: 0.066,
  SGD: 0.74,
  HKD: 0.128,
  KRW: 0.000_82,
};
const margin = 2;

/** The most that an amount may be in another currency, by rough rates; undefined where nobody can tell. */
export function mostIn(value: number, from: string, to: string): number | undefined {
  const [own, other] = [worth[from], worth[to]];
  return own === undefined || other === undefined ? undefined : (value * own * margin) / other;
}
