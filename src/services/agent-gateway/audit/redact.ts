/** Redacts and truncates arguments for the audit log. */
import { withoutSecretsInUrls } from '#base/secrets/without-secrets-in-urls.ts';

const secretName =
  /pass(word|wd|phrase)?$|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key/i;

/** In every text of JSON with a field whose name is one of these. */
const mayNameSecret = /pass|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key/i;

/** Secrets recognised by their format: our keys and those of well-known services, JWTs, private keys. */
const secretText =
  /\b(?:blwk_[\w-]{20,}|sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

const blackedOut = '[redacted]';
const longestCharacters = 16_384;

/** Redacts secrets that are recognised by their format. */
export const withoutSecrets = (text: string): string =>
  withoutSecretsInUrls(text.replaceAll(secretText, blackedOut));

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Redacts every value below a field whose name indicates a secret. */
const blacked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) => (isValue(each) ? blackedOut : each));

const withoutNamed = (value: unknown): string =>
  JSON.stringify(value, (name, each: unknown) => {
    if (name === '' || !secretName.test(name)) return each;
    if (isValue(each)) return blackedOut;
    return typeof each === 'object' && each !== null ? blacked(each) : each;
  }) ?? 'null';

/** The value as redacted JSON, truncated if it is too long. */
export function redacted(value: unknown): string {
  // Without a replacer JSON is written in a third of the time.
  const plain = JSON.stringify(value) ?? 'null';
  const text = mayNameSecret.test(plain) ? withoutNamed(value) : plain;
  const clean = withoutSecrets(text);
  return clean.length <= longestCharacters ? clean : `${clean.slice(0, longestCharacters)}…`;
}
