/** Texts that differ in case, white space or compatibility forms alone become the same. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
