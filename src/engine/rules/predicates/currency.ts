import type { Call } from '../../actions/calls/call.ts';
import { quantitiesIn, readQuantity } from '../../actions/calls/quantity.ts';
import { nameWords } from '../../actions/words.ts';

const codes = new Set(
  'USD EUR GBP JPY CHF CAD AUD NZD CNY INR SEK NOK DKK PLN CZK HUF BRL MXN ZAR SGD HKD KRW'.split(' '),
);

const codeIn = (value: string): string | undefined => {
  const upper = value.trim().toUpperCase();
  return codes.has(upper) ? upper : undefined;
};

/** The currency that a call names: by an argument for it, in the name of one (`amount_usd`), or by a sign. */
export function currencyOf({ leaves }: Pick<Call, 'leaves'>): string | undefined {
  for (const { key, text } of leaves.slice(0, 100)) {
    const named = /currency/i.test(key)
      ? codeIn(text)
      : nameWords(key)
          .map(codeIn)
          .find((code) => code !== undefined);
    if (named !== undefined) return named;
  }
  for (const { text, key } of leaves.slice(0, 100)) {
    if (!/amount|price|total|sum|cost|fee|refund|payment/i.test(key)) continue;
    const found = readQuantity(text)?.currency ?? quantitiesIn(text, 60)[0]?.currency;
    if (found !== undefined) return found;
  }
  return undefined;
}
