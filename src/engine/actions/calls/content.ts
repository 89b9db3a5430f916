import { nameWords } from '../words.ts';

const contentWords = new Set(
  'body text content contents message msg subject note notes comment description reason title summary html markdown prompt data payload string str'.split(
    ' ',
  ),
);

/** Whether an argument of this name is what is written or said: what stands in it is carried, and not acted upon. */
export const isContent = (key: string): boolean => contentWords.has(nameWords(key).at(-1) ?? '');
