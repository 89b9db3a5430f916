import { Random } from '#base/random.ts';

/** 32-bit FNV-1a of the parts; gives each attempt its own, reproducible random numbers. */
function hash(parts: readonly (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const char of parts.join('\u0000')) {
    value ^= char.codePointAt(0) ?? 0;
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
}

export const randomFor = (seed: number, ...parts: readonly (string | number)[]): Random =>
  new Random(hash([seed, ...parts]));
