import { type Mapped, MappedWriter } from './mapped.ts';

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lsquo: "'",
  rsquo: "'",
  ldquo: '"',
  rdquo: '"',
  hellip: '…',
  tab: '\t',
  newline: '\n',
  excl: '!',
  period: '.',
  comma: ',',
  colon: ':',
};

const escapePattern =
  /&(?:#(?<decimal>\d{1,7})|#x(?<entity>[0-9a-f]{1,6})|(?<name>[a-z]{2,8}));|\\u\{?(?<unicode>[0-9a-f]{4,6})\}?|\\x(?<byte>[0-9a-f]{2})|(?<url>(?:%[0-9a-f]{2})+)|\\(?<control>[nrt])(?![a-z])/gi;

/** What every escape begins with. */
const opensEscape = /[&\\%]/;

const fewest = 3;

const fromCode = (digits: string, base: number): string | undefined => {
  const code = Number.parseInt(digits, base);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
};

function fromUrl(run: string): string | undefined {
  try {
    return decodeURIComponent(run);
  } catch {
    // Bytes that are no UTF-8: shown one by one.
    return run.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
}

type Groups = Record<string, string | undefined>;

function decodeOne(groups: Groups): string | undefined {
  const { decimal, entity, name, unicode, byte, url, control } = groups;
  if (decimal !== undefined) return fromCode(decimal, 10);
  const hex = entity ?? unicode ?? byte;
  if (hex !== undefined) return fromCode(hex, 16);
  if (name !== undefined) return named[name.toLowerCase()];
  if (url !== undefined) return fromUrl(url);
  return control === undefined ? undefined : ' ';
}

/**
 * The text with HTML entities, URL escapes and `\u` and `\x` escapes shown as what they stand for; undefined with
 * fewer than three of them. Offsets are those of `text`.
 */
export function decodeEscapes(text: string): Mapped | undefined {
  if (!opensEscape.test(text)) return undefined;
  const matches = [...text.matchAll(escapePattern)];
  if (matches.length < fewest && !matches.some(([whole]) => whole.length > 12)) return undefined;
  const out = new MappedWriter(text.length);
  let copied = 0;
  for (const match of matches) {
    const decoded = decodeOne(match.groups ?? {});
    if (decoded === undefined) continue;
    for (; copied < match.index; copied++) out.put(text.charCodeAt(copied), copied, copied + 1);
    copied = match.index + match[0].length;
    out.putText(decoded, match.index, copied);
  }
  for (; copied < text.length; copied++) out.put(text.charCodeAt(copied), copied, copied + 1);
  return out.finish();
}
