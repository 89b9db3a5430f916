/** What features are made of. */

export const log = (count: number) => Math.log1p(count);
export const share = (part: number, of: number) => (of === 0 ? 0 : part / of);
export const is = (condition: boolean | undefined) => (condition === true ? 1 : 0);
/** Replies up to this length are short. */
export const shortCharacters = 320;
