/** Bytes as the text that a runtime would see: an encoding that a reader does not expect must not hide source. */

/** Letters of program text are nearly all ASCII: in UTF-16 every other byte is zero. */
const sample = 2_000;
const leastZeros = 0.3;

function zerosAt(bytes: Buffer, from: 0 | 1): number {
  let zeros = 0;
  const end = Math.min(bytes.length, sample);
  for (let at = from; at < end; at += 2) if (bytes[at] === 0) zeros++;
  return end < 4 ? 0 : (2 * zeros) / end;
}

function utf16Of(bytes: Buffer): 'le' | 'be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'be';
  const [first, second] = [zerosAt(bytes, 0), zerosAt(bytes, 1)];
  if (second > leastZeros && first < leastZeros / 10) return 'le';
  return first > leastZeros && second < leastZeros / 10 ? 'be' : undefined;
}

/** UTF-8 unless the bytes tell UTF-16, with or without the mark at their beginning, which is taken off. */
export function decoded(bytes: Buffer): string {
  const order = utf16Of(bytes);
  const text = order === undefined ? bytes.toString('utf8') : new TextDecoder(`utf-16${order}`).decode(bytes);
  return text.replace(/^\uFEFF/, '');
}

const magics: readonly [magic: string, what: string][] = [
  ['\u007FELF', 'compiled'],
  ['MZ', 'compiled'],
  ['\0asm', 'compiled'],
  ['\u00CA\u00FE\u00BA\u00BE', 'compiled'],
  ['\u00CF\u00FA\u00ED\u00FE', 'compiled'],
  ['\u00CE\u00FA\u00ED\u00FE', 'compiled'],
  ['PK\u0003\u0004', 'archive'],
  ['\u001F\u008B', 'archive'],
];

/** What a file is that is no text, by its first bytes. */
export function kindOfBytes(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 4);
  const known = magics.find(([magic]) => start.startsWith(magic))?.[1];
  // `MZ` may begin a text.
  return known === 'compiled' && start.startsWith('MZ') && !head.includes(0) ? undefined : known;
}
