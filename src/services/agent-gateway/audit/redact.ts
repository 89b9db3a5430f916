/** Redacts and truncates arguments for the audit log. */
import { isCardNumber } from '#engine/redact/checksums.ts';
import { withoutSecretsInUrls } from '#base/secrets/without-secrets-in-urls.ts';

const secretName =
  /pass(word|wd|phrase)?$|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key|^(?:pwd|pin)$/i;

/** In every text of JSON with a field whose name is one of these, also in JSON within its texts, or with a long number. */
const mayHoldSecret =
  /pass|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key|(?:pwd|pin)\\*"|\d(?:[ -]?\d){12}/i;

/** What follows these words is a token where it has a digit or is long, or where a header is written out. */
const bearerText =
  /(\bauthorization["'\\]{0,4}\s?[:=]\s?["'\\]{0,4}(?:bearer|basic|token)\s+|\bbearer\s+(?=[\w.~+/-]{0,40}\d|[\w.~+/-]{24}))[\w.~+/=-]{6,}/gi;
/** Thirteen to nineteen digits, in groups or not. */
const cardText = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![.\d])/g;
const deepestText = 4;

/** Secrets recognised by their format: our keys and those of well-known services, JWTs, private keys. */
const secretText =
  /\b(?:blwk_[\w-]{20,}|sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|(?:(?<![\w-])eyJ[\w-]{8,}|eyJ[\w-]{8,400})\.[\w-]{8,}\.[\w-]*)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

const blackedOut = '[redacted]';
const longestCharacters = 16_384;

/** Redacts secrets that are recognised by their format. */
export const withoutSecrets = (text: string): string =>
  withoutSecretsInUrls(text.replaceAll(secretText, blackedOut).replaceAll(bearerText, `$1${blackedOut}`));

const withoutCards = (text: string): string =>
  text.replaceAll(cardText, (number) => (isCard(number) ? blackedOut : number));
const isCard = (number: string): boolean => isCardNumber(number.replaceAll(/[ -]/g, ''));

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Redacts every value below a field whose name indicates a secret. */
const blacked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) => (isValue(each) ? blackedOut : each));

/** The value as JSON, without what its names say is secret; texts that are JSON themselves are read as such. */
const withoutNamed = (value: unknown, depth = 0): string =>
  JSON.stringify(value, (name, each: unknown) => {
    if (name !== '' && secretName.test(name)) {
      if (isValue(each)) return blackedOut;
      if (typeof each === 'object' && each !== null) return blacked(each);
    }
    if (typeof each === 'string') return textWithout(each, depth);
    return typeof each === 'number' && isCard(String(each)) ? blackedOut : each;
  }) ?? 'null';

function textWithout(text: string, depth: number): string {
  if (depth >= deepestText || !/^\s*[[{"]/.test(text) || !mayHoldSecret.test(text)) return withoutCards(text);
  let inner: unknown;
  try {
    inner = JSON.parse(text);
  } catch {
    return withoutCards(text);
  }
  const clean = withoutNamed(inner, depth + 1);
  // As it was written, where nothing is taken out.
  return clean === JSON.stringify(inner) ? text : clean;
}

/** The value as redacted JSON, truncated if it is too long. */
export function redacted(value: unknown): string {
  // Without a replacer JSON is written in a third of the time.
  const plain = JSON.stringify(value) ?? 'null';
  const text = mayHoldSecret.test(plain) ? withoutNamed(value) : plain;
  const clean = withoutSecrets(text);
  return clean.length <= longestCharacters ? clean : `${clean.slice(0, longestCharacters)}…`;
}
