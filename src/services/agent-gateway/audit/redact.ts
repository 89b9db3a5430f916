/** What of a call may be kept: arguments without what looks like a secret, and not endless. */

const secretName =
  /pass(word|wd|phrase)?$|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key/i;

/** Secrets that are known by their look: keys of ours and of well-known services, JWTs, private keys. */
const secretText =
  /\b(?:blwk_[\w-]{20,}|sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

const blackedOut = '[redacted]';
const longestCharacters = 16_384;

/** JSON of the value with secrets blacked out; where it is too long, its beginning. */
export function redacted(value: unknown): string {
  const text =
    JSON.stringify(value, (name, each: unknown) =>
      name !== '' && secretName.test(name) && (typeof each === 'string' || typeof each === 'number')
        ? blackedOut
        : each,
    ) ?? 'null';
  const clean = text.replaceAll(secretText, blackedOut);
  return clean.length <= longestCharacters ? clean : `${clean.slice(0, longestCharacters)}…`;
}
