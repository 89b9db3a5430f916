/** Numbers as people and programs of all countries write them, with the currency beside them. */

export interface Quantity {
  readonly value: number;
  /** What it is where the only dot of "1.200" separates thousands. */
  readonly larger?: number;
  /** An ISO code. */
  readonly currency?: string;
}

const codeOfSign: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
};
const codes: readonly string[] =
  'USD EUR GBP JPY CHF CAD AUD NZD CNY INR SEK NOK DKK PLN CZK HUF BRL MXN ZAR SGD HKD KRW BTC ETH'.split(
    ' ',
  );
const codeOfWord: Readonly<Record<string, string>> = {
  dollar: 'USD',
  dollars: 'USD',
  bucks: 'USD',
  euro: 'EUR',
  euros: 'EUR',
  pound: 'GBP',
  pounds: 'GBP',
  yen: 'JPY',
  francs: 'CHF',
  rupees: 'INR',
};
const times: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

const sign = `(?:US|CA|AU|NZ)?[${Object.keys(codeOfSign).join('')}]`;
const unit = `${sign}|(?:${[...codes, ...Object.keys(codeOfWord)].join('|')})(?![a-z])`;
/** Spaces and marks that stand between groups of digits. */
const gap = String.raw`[ \u00A0\u2009\u202F'’_]`;
const digits = String.raw`\d{1,15}(?:(?:${gap}|[.,])\d{1,9}){0,6}`;
const scale = Object.keys(times).join('|');
const number = String.raw`([+-]?)(${digits})(?:e\+?(\d{1,2}))?(?:\s?(${scale})(?![a-z]))?`;
const whole = new RegExp(String.raw`^(${unit})?\s?${number}\s?(${unit})?$`, 'iu');
const mention = new RegExp(
  String.raw`(?<![\p{L}\d.,])(?:(${unit})\s?${number}|${number}\s?(${unit}))`,
  'giu',
);

const isGrouped = new RegExp(String.raw`^[1-9]\d{0,2}(?:${gap}\d{3})+(?:[.,]\d{1,9})?$`);
const isGroupedByCommas = /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d{1,9})?$/;
const isGroupedByDots = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,9}|\.\d{3})$/;
const isPlain = /^\d{1,15}(?:[.,]\d{1,9})?$/;
const isDoubtful = /^[1-9]\d{0,2}\.\d{3}$/;

/** The digits without what separates groups, with a dot before the decimals; undefined if they are no number. */
function plainDigits(text: string): string | undefined {
  if (isGroupedByCommas.test(text)) return text.replaceAll(',', '');
  if (isGroupedByDots.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (isGrouped.test(text)) return text.replaceAll(new RegExp(gap, 'g'), '').replace(',', '.');
  return isPlain.test(text) ? text.replace(',', '.') : undefined;
}

/** The code of a currency that is written as its code, in any letters; undefined for what is none that is known. */
export function currencyCode(text: string): string | undefined {
  const upper = text.trim().toUpperCase();
  return codes.includes(upper) ? upper : undefined;
}

const codeOf = (said: string | undefined): string | undefined => {
  if (said === undefined) return undefined;
  const last = codeOfSign[said.at(-1) ?? ''];
  if (last !== undefined) return said.length === 1 ? last : `${said.slice(0, 2).toUpperCase()}D`;
  return codeOfWord[said.toLowerCase()] ?? said.toUpperCase();
};

function quantityOf(
  parts: readonly (string | undefined)[],
  currency: string | undefined,
): Quantity | undefined {
  const [minus, written = '', exponent, scaled] = parts;
  const plain = plainDigits(written);
  if (plain === undefined) return undefined;
  const factor =
    (minus === '-' ? -1 : 1) *
    10 ** Number(exponent ?? 0) *
    (scaled === undefined ? 1 : (times[scaled.toLowerCase()] ?? 1));
  const code = codeOf(currency);
  return {
    value: Number(plain) * factor,
    ...(isDoubtful.test(written) && { larger: Number(written.replace('.', '')) * factor }),
    ...(code !== undefined && { currency: code }),
  };
}

const longest = 40;

/** Most numbers have nothing of the kind. */
const odd = /[^ -~]|0x|[.,]\s?-/i;
const otherDigit = /[^\0-\u007F]/;
/** What nobody sees: characters of control and of format. Spaces of all widths are none. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const unseen = /[\p{Cf}\u0000-\u0008\u000E-\u001F\u007F-\u009F]/gu;
/** "1500,-", "1500.–": no hundredths. */
const withoutCents = /(\d)[.,]\s?[-–—−]{1,2}(?=\D{0,8}$)/;
const hexadecimal = /^([+-]?)0x([\da-f]{1,13})$/i;

/** Digits of all scripts: each script has its ten in a row. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && decimal.test(String.fromCodePoint(zero - 1))) zero--;
  return `${code - zero}`;
}
const decimal = /\p{Nd}/u;
const decimals = /\p{Nd}/gu;

/** A text that may be a number with ASCII digits, and without what nobody sees. */
export function plainNumber(text: string): string {
  if (!odd.test(text)) return text.trim();
  let plain = text.replaceAll(unseen, '');
  if (otherDigit.test(plain))
    plain = plain
      .normalize('NFKC')
      .replaceAll(decimals, plainDigit)
      .replaceAll('٫', '.')
      .replaceAll('٬', ',')
      .replaceAll('−', '-');
  plain = plain.trim().replace(withoutCents, '$1');
  const hex = hexadecimal.exec(plain);
  return hex === null ? plain : `${hex[1]}${Number.parseInt(hex[2] ?? '0', 16)}`;
}

/** "1,200.50", "1.200,50 EUR", "$1.5k", "12 000"; undefined for what is no number with or without a currency. */
export function readQuantity(text: string): Quantity | undefined {
  const found = text.length > longest ? null : whole.exec(plainNumber(text));
  return found === null ? undefined : quantityOf(found.slice(2, 6), found[1] ?? found[6]);
}

/** All amounts with a currency in the first `within` characters of a text. */
export function quantitiesIn(text: string, within = 2000): Quantity[] {
  const part = text.slice(0, within);
  if (!/\d/.test(part)) return [];
  return [...part.matchAll(mention)].flatMap((found) => {
    const isBefore = found[1] !== undefined;
    const quantity = quantityOf(
      isBefore ? found.slice(2, 6) : found.slice(6, 10),
      isBefore ? found[1] : found[10],
    );
    return quantity ?? [];
  });
}
