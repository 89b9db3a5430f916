/** A text as it reads once what hides it is taken away. */
export interface View {
  text: string;
  /** Undefined for the text itself. */
  hiddenAs?: string;
}

export interface Hidden {
  what: string;
  quote: string;
  /** Whether nobody does this by accident. */
  isSerious: boolean;
}

const tags = /[\u{E0020}-\u{E007E}]+/gu;
const invisible =
  /[\u200B-\u200F\u2060-\u2064\u202A-\u202E\u2066-\u2069\u00AD\uFEFF\u180E\u{E0000}-\u{E007F}]/gu;
const directions = /[\u202A-\u202E\u2066-\u2069]/;
const selectors = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{4,}/u;

const readable = (text: string): boolean =>
  text.length >= 12 &&
  /^[\t\n\r\x20-\x7E\u00A0-\u024F\u2010-\u2027]+$/.test(text) &&
  /[a-z]{3}[ ,.:_/-]/i.test(text);

/** Letters turned by thirteen places. */
const turned = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** Words that hidden orders have; what makes none of them was no hidden text. */
const orderly =
  /\b(?:ignore|instructions?|system|secret|password|always|never|must|send|read|user|tool|call)\b/i;

function decoded(text: string): View[] {
  const views: View[] = [];
  const add = (plain: string, hiddenAs: string) => {
    if (readable(plain)) views.push({ text: plain, hiddenAs });
  };
  for (const [match] of text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g))
    add(Buffer.from(match.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('utf8'), 'Base64');
  for (const [match] of text.matchAll(/(?:\\x[0-9a-f]{2}|[0-9a-f]{2}[ :]?){12,}/gi))
    add(Buffer.from(match.replaceAll(/\\x|[ :]/gi, ''), 'hex').toString('utf8'), 'hexadecimal digits');
  const thirteen = turned(text);
  if (!orderly.test(text) && (thirteen.match(new RegExp(orderly, 'gi'))?.length ?? 0) > 2)
    views.push({ text: thirteen, hiddenAs: 'ROT13' });
  return views;
}

/** The text, its hidden parts made readable, and what hid them. */
export function plainViews(text: string): { views: View[]; hidden: Hidden[] } {
  const hidden: Hidden[] = [];
  const views: View[] = [];
  const tagged = [...text.matchAll(tags)]
    .map(([run]) =>
      Array.from(run, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) - 0xe0000)).join(''),
    )
    .join(' ');
  if (tagged.length > 3) {
    hidden.push({
      what: 'characters of the tag block, which nobody sees',
      quote: tagged.slice(0, 200),
      isSerious: true,
    });
    views.push({ text: tagged, hiddenAs: 'tag characters' });
  }
  const bare = text.replaceAll(invisible, '').normalize('NFKC');
  // Emoji are joined by one of them; a byte order mark stands at the beginning.
  const counted = text.replace(/^\uFEFF/, '').replaceAll(/(?<=\p{Extended_Pictographic}\uFE0F?)\u200D/gu, '');
  const count = counted.match(invisible)?.length ?? 0;
  if (tagged.length <= 3 && (count > 2 || directions.test(text)))
    hidden.push({
      what: directions.test(text)
        ? 'characters that turn the direction of writing'
        : `${count} invisible characters`,
      quote: bare.slice(0, 200),
      isSerious: count > 7,
    });
  if (selectors.test(text))
    hidden.push({ what: 'a run of variation selectors, which can carry text', quote: '', isSerious: true });
  views.unshift({ text: bare });
  views.push(...decoded(bare));
  return { views, hidden };
}
