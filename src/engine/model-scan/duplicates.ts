/** Near duplicates: MinHash (Broder 1997) with banding finds candidates, the exact Jaccard index decides. */

export interface Duplicate {
  first: number;
  second: number;
  /** Jaccard index of the two sets of shingles, 0 to 1. */
  similarity: number;
}

const bands = 32;
const rowsPerBand = 4;
/** Longer texts are compared by their beginning. */
const mostShingles = 5000;

/**
 * Pairs of texts that share at least `threshold` of their three-word shingles. A pair just at .7 is missed
 * with a probability of (1 − .7⁴)³² = .00016.
 */
export function findDuplicates(texts: readonly string[], threshold = 0.7): Duplicate[] {
  const sets = texts.map(shingles);
  const buckets = new Map<string, number[]>();
  const seen = new Set<number>();
  const found: Duplicate[] = [];
  for (const [second, set] of sets.entries()) {
    const signature = minHash(set);
    for (let band = 0; band < bands; band += 1) {
      const key = `${band}:${signature.slice(band * rowsPerBand, (band + 1) * rowsPerBand).join()}`;
      const others = buckets.get(key) ?? [];
      for (const first of others) {
        const pair = first * texts.length + second;
        if (seen.has(pair)) continue;
        seen.add(pair);
        const similarity = jaccard(sets[first] as Set<number>, set);
        if (similarity >= threshold) found.push({ first, second, similarity });
      }
      // A thousand equal texts need not be compared with each other: the first ones tell.
      if (others.length < 50) others.push(second);
      buckets.set(key, others);
    }
  }
  return found.sort((x, y) => x.first - y.first || x.second - y.second);
}

/** Hashes of all runs of three words; of single words where there are fewer than three. */
function shingles(text: string): Set<number> {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const size = words.length < 3 ? 1 : 3;
  const found = new Set<number>();
  for (let at = 0; at + size <= words.length && found.size < mostShingles; at += 1)
    found.add(fnv1a(words.slice(at, at + size).join(' ')));
  return found;
}

function minHash(set: ReadonlySet<number>): Uint32Array {
  const least = new Uint32Array(bands * rowsPerBand).fill(0xffff_ffff);
  for (const value of set)
    for (let index = 0; index < least.length; index += 1) {
      const hash = mix(value ^ Math.imul(index + 1, 0x9e37_79b1));
      if (hash < (least[index] as number)) least[index] = hash;
    }
  return least;
}

function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 && b.size === 0) return 1;
  const both = a.intersection(b).size;
  return both / (a.size + b.size - both);
}

/** FNV-1a, 32 bits, over UTF-16 units. */
function fnv1a(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  return hash >>> 0;
}

/** The finaliser of MurmurHash3, 32 bits. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
