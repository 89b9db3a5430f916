/** What a text says besides what a person sees: hidden characters and encoded parts, made readable. */

export interface View {
  kind: 'plain' | 'hidden' | 'decoded';
  /** How it was made readable, such as `base64`; empty for the text itself. */
  how: string;
  text: string;
}

export interface HiddenCharacters {
  count: number;
  kinds: string[];
  /** What they spell, where they spell something. */
  spelled: string;
}

const kinds: readonly [string, RegExp][] = [
  ['tag characters', /[\u{E0000}-\u{E007F}]/gu],
  ['variation selectors', /[\u{E0100}-\u{E01EF}]/gu],
  ['zero-width characters', /[\u200B\u2060-\u2064\uFEFF\u180E]/gu],
  ['direction overrides', /[\u202A-\u202E\u2066-\u2069]/gu],
  // oxlint-disable-next-line no-control-regex -- that is what is looked for.
  ['control characters', /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/gu],
];

const tagText = (text: string): string =>
  Array.from(text)
    .flatMap((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (code >= 0xe0020 && code <= 0xe007e) return [String.fromCodePoint(code - 0xe0000)];
      if (code >= 0xe0100 && code <= 0xe01ef) return [String.fromCodePoint((code - 0xe0100 + 16) & 0xff)];
      return [];
    })
    .join('');

/** The two zero-width characters that carry bits, eight to a letter. */
function bitText(text: string): string {
  const bits = Array.from(text).flatMap((letter) =>
    letter === '\u200B' ? ['0'] : letter === '\u200C' ? ['1'] : [],
  );
  if (bits.length < 32) return '';
  let spelled = '';
  for (let at = 0; at + 8 <= bits.length; at += 8)
    spelled += String.fromCodePoint(Number.parseInt(bits.slice(at, at + 8).join(''), 2));
  return /^[\t\n\r -~]+$/.test(spelled) ? spelled : '';
}

/** A flag of three letters, such as that of Scotland, is an emoji followed by tag characters. */
const withoutFlags = (text: string) => text.replaceAll(/\u{1F3F4}[\u{E0020}-\u{E007F}]{2,8}/gu, '');

/** Characters that no reader sees, and what they spell. */
export function hiddenCharacters(raw: string): HiddenCharacters {
  const text = withoutFlags(raw);
  const found = kinds.flatMap(([name, pattern]) => {
    const count = text.match(pattern)?.length ?? 0;
    return count > 0 ? [{ name, count }] : [];
  });
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    kinds: found.map(({ name }) => name),
    spelled: tagText(text) || bitText(text),
  };
}

const isReadable = (text: string): boolean => {
  if (text.length < 8) return false;
  let letters = 0;
  let strange = 0;
  for (const unit of text) {
    if (/[a-z \n]/i.test(unit)) letters++;
    // oxlint-disable-next-line no-control-regex -- that is what is looked for.
    if (/[\u0000-\u0008\u000E-\u001F\u007F-\u009F\uFFFD]/.test(unit)) strange++;
  }
  return strange === 0 && letters >= text.length * 0.6;
};

const mostEncoded = 20;

/** Both alphabets; where one of the second has words behind it, the part before them too. */
const base64Parts = (text: string): string[] =>
  [...text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)].flatMap(([part]) => [
    part,
    ...(/[_-]/.test(part) ? part.split(/[_-]/).filter((piece) => piece.length >= 16) : []),
  ]);

function base64Views(text: string): View[] {
  return base64Parts(text)
    .slice(0, mostEncoded)
    .flatMap((part) => {
      const decoded = Buffer.from(part.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('utf8');
      return isReadable(decoded) ? [{ kind: 'decoded' as const, how: 'base64', text: decoded }] : [];
    });
}

function hexViews(text: string): View[] {
  return [...text.matchAll(/(?:(?:0x|\\x|%)?[0-9a-f]{2}[ ,:]?){8,}/gi)]
    .slice(0, mostEncoded)
    .flatMap(([part]) => {
      const digits = part.replaceAll(/0x|\\x|[%\s,:]/gi, '');
      const decoded = Buffer.from(digits, 'hex').toString('utf8');
      return isReadable(decoded) ? [{ kind: 'decoded' as const, how: 'hexadecimal', text: decoded }] : [];
    });
}

const rot13 = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCodePoint((((letter.codePointAt(0) ?? 0) - base + 13) % 26) + base);
  });

/** Words that nearly every English sentence of some length has. */
const commonWords = /\b(?:the|and|to|of|in|is|for|user|with|this|that|not|it|you|send|before|first)\b/gi;
const commonIn = (text: string): number => text.match(commonWords)?.length ?? 0;

/** Read from the end, where that makes more sense. */
function reversedView(text: string): View[] {
  if (text.length < 12 || text.length > 20_000) return [];
  const turned = Array.from(text).toReversed().join('');
  return commonIn(turned) >= 3 && commonIn(turned) > 2 * commonIn(text)
    ? [{ kind: 'decoded', how: 'letters from the end', text: turned }]
    : [];
}

const digitLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** Digits in the place of letters, where several words have them. */
function leetView(text: string): View[] {
  const words =
    text.match(/(?<![\w.-])(?=[\w@$]{0,19}[a-z])(?=[\w@$]{0,19}[013457@$])[a-z013457@$]{3,20}(?![\w-])/gi) ??
    [];
  if (new Set(words.map((word) => word.toLowerCase())).size < 4) return [];
  const read = text.replaceAll(/[a-z013457@$]{2,20}/gi, (word) =>
    /[a-z]/i.test(word) ? word.replaceAll(/[013457@$]/g, (sign) => digitLetters[sign] ?? sign) : word,
  );
  return [{ kind: 'decoded', how: 'digits for letters', text: read }];
}

/** Letters set apart by spaces, twelve or more in a row; two spaces end a word. */
function spacedView(text: string): View[] {
  const runs = text.match(/(?:(?<!\S)\p{L} {1,3}){11,}\p{L}(?!\S)/gu) ?? [];
  return runs.slice(0, mostEncoded).map((run) => ({
    kind: 'decoded',
    how: 'letters set apart',
    text: run
      .split(/ {2,}/)
      .map((word) => word.replaceAll(' ', ''))
      .join(' '),
  }));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const unescaped = (text: string) =>
  text
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => letterOf(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => letterOf(Number(code)))
    .replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => letterOf(Number.parseInt(code, 16)));

const letterOf = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** Frequent words as they look when rotated: three of them, or one that orders use, are no accident. */
const rotatedWords =
  /\b(?:gur|naq|lbh|gb|bs|guvf|gung|jvgu|sebz|abg|qb|nyy|vgf|lbhe|hfre|erirny|pnyy|svyr|orsber|nsgre|gura|zrffntr)\b/gi;
const rotatedOrder = /\b(?:vtaber|vafgehpgvba|cebzcg|flfgrz|frperg|cnffjbeq|qb abg gryy)/i;
const isRotated = (text: string) => rotatedOrder.test(text) || (text.match(rotatedWords)?.length ?? 0) >= 3;

/** Letters of other scripts and widths as the Latin ones that they look like; accents stay. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  һ: 'h',
  ӏ: 'l',
  ո: 'n',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  ν: 'v',
  τ: 't',
  κ: 'k',
  ι: 'i',
  ϲ: 'c',
  А: 'A',
  Е: 'E',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Н: 'H',
  К: 'K',
  М: 'M',
  В: 'B',
  Х: 'X',
  І: 'I',
  Ѕ: 'S',
};

const folded = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[\u0370-\u058F]/g, (letter) => lookAlikes[letter] ?? letter);

const invisible =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- characters that no reader sees.
  /[\u{E0000}-\u{E01EF}\u200B-\u200F\u2060-\u2064\uFEFF\u180E\u202A-\u202E\u2066-\u2069\u00AD\u0000-\u0008\u000E-\u001F]/gu;

/** All readings of a text, the text itself first. */
export function viewsOf(raw: string): View[] {
  const plain = folded(raw.replaceAll(invisible, ''));
  const views: View[] = [{ kind: 'plain', how: '', text: plain }];
  const { spelled } = hiddenCharacters(raw);
  if (spelled !== '') views.push({ kind: 'hidden', how: 'invisible characters', text: spelled });
  const comments = [...raw.matchAll(/<!--([\s\S]{1,5000}?)-->/g)].map(([, inner = '']) => inner);
  if (comments.length > 0) views.push({ kind: 'hidden', how: 'a comment', text: comments.join('\n') });
  views.push(...base64Views(plain), ...hexViews(plain));
  if (isRotated(plain)) views.push({ kind: 'decoded', how: 'rot13', text: rot13(plain) });
  views.push(...reversedView(plain), ...leetView(plain), ...spacedView(plain));
  const escaped = unescaped(plain);
  if (escaped !== plain) views.push({ kind: 'decoded', how: 'escapes', text: escaped });
  return views;
}
