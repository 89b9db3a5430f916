interface Network {
  readonly address: bigint;
  readonly prefix: number;
  readonly bits: 32 | 128;
  /** Written as one of the newer protocol (`::ffff:10.1.2.3`), which leads to the same machine. */
  readonly isMapped?: boolean;
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function parseV6(text: string): bigint | undefined {
  if (!text.includes(':') || !/^[\da-f:]{2,39}$/.test(text)) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = (half: string | undefined) => (half === undefined || half === '' ? [] : half.split(':'));
  const [head, tail] = [groups(halves[0]), groups(halves[1])];
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return all.every((group) => /^[\da-f]{1,4}$/.test(group))
    ? all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
    : undefined;
}

/** `::ffff:10.1.2.3` → `::ffff:a01:203`; other texts stay. */
function withoutDots(text: string): string {
  const at = text.lastIndexOf(':') + 1;
  const last = at > 0 && text.includes('.') ? parseV4(text.slice(at)) : undefined;
  return last === undefined
    ? text
    : `${text.slice(0, at)}${(last >> 16n).toString(16)}:${(last & 0xff_ffn).toString(16)}`;
}

const mappedBits = 96;
const mappedPrefix = 0xff_ffn << 32n;

/** An address of the older protocol within the newer one is read as itself. */
const unmapped = (network: Network): Network =>
  network.bits === 128 && network.prefix >= mappedBits && network.address >> 32n === 0xff_ffn
    ? {
        address: network.address - mappedPrefix,
        prefix: network.prefix - mappedBits,
        bits: 32,
        isMapped: true,
      }
    : network;

const asWritten = (network: Network): Network =>
  network.isMapped === true
    ? { address: network.address + mappedPrefix, prefix: network.prefix + mappedBits, bits: 128 }
    : network;

/** As long as the longest address with its length, and the blanks around it. */
const longest = 64;
const mostKnown = 1000;
const known = new Map<string, Network | undefined>();

/**
 * An address or a range (`10.0.0.0/8`, `::/0`); an address alone is a range of one. Remembered, since rules name the
 * same ranges again with each call.
 */
export function parseNetwork(text: string): Network | undefined {
  if (text.length > longest) return undefined;
  const before = known.get(text);
  if (before !== undefined || known.has(text)) return before;
  const parsed = parse(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, parsed);
  return parsed;
}

function parse(text: string): Network | undefined {
  const [host = '', length, ...more] = text.trim().toLowerCase().split('/');
  if (more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const v4 = parseV4(host);
  const address = v4 ?? parseV6(withoutDots(host));
  if (address === undefined) return undefined;
  const bits = v4 === undefined ? 128 : 32;
  const prefix = length === undefined ? bits : Number(length);
  return prefix <= bits ? unmapped({ address, prefix, bits }) : undefined;
}

/** Whether the first lies wholly within the second. */
export function isInNetwork(inner: Network, outer: Network): boolean {
  const own = inner.bits === outer.bits ? inner : asWritten(inner);
  if (own.bits !== outer.bits || own.prefix < outer.prefix) return false;
  const shift = BigInt(outer.bits - outer.prefix);
  return own.address >> shift === outer.address >> shift;
}
