import type { Random } from '../../../src/base/random.ts';

const swapLetters = (word: string, random: Random): string => {
  if (word.length < 4) return word;
  const at = 1 + Math.floor(random.next() * (word.length - 3));
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
};

const dropLetter = (word: string, random: Random): string => {
  if (word.length < 4) return word;
  const at = 1 + Math.floor(random.next() * (word.length - 2));
  return word.slice(0, at) + word.slice(at + 1);
};

/** Typos in about one word of `every`. */
export const withTypos = (text: string, random: Random, every = 9): string =>
  text
    .split(' ')
    .map((word) => {
      if (!/^[a-z]+$/i.test(word) || random.next() > 1 / every) return word;
      return random.next() < 0.5 ? swapLetters(word, random) : dropLetter(word, random);
    })
    .join(' ');

/** Each letter in a random case. */
export const randomCase = (text: string, random: Random): string =>
  Array.from(text, (c) => (random.next() < 0.5 ? c.toUpperCase() : c.toLowerCase())).join('');

/** Inner letters of longer words shuffled, first and last kept. */
export const scrambleInside = (text: string, random: Random): string =>
  text.replace(/[a-z]{4,}/gi, (word) => {
    const inner = random.sample(Array.from(word.slice(1, -1)), word.length);
    return word.slice(0, 1) + inner.join('') + word.slice(-1);
  });

/** Some neighbouring words swapped. */
export const scrambleWords = (text: string, random: Random): string => {
  const words = text.split(' ');
  for (let i = 0; i + 1 < words.length; i++) {
    if (random.next() > 0.25) continue;
    [words[i], words[i + 1]] = [words[i + 1] ?? '', words[i] ?? ''];
    i++;
  }
  return words.join(' ');
};

/** Letters replaced by similar or neighbouring characters in a few places. */
export const withNoise = (text: string, random: Random): string =>
  Array.from(text, (c) => {
    if (!/[a-z]/i.test(c) || random.next() > 0.06) return c;
    return String.fromCharCode(c.charCodeAt(0) + (random.next() < 0.5 ? 1 : -1));
  }).join('');

/** As people type: unchanged, in lower case, without the last full stop, with typos, or in capitals. */
export function asTyped(text: string, random: Random): string {
  const roll = random.next();
  if (roll < 0.56) return text;
  if (roll < 0.74) return text.toLowerCase();
  if (roll < 0.84) return text.replace(/[.!?]$/, '');
  if (roll < 0.95) return withTypos(text.toLowerCase(), random);
  return text.length < 160 ? text.toUpperCase() : text;
}
