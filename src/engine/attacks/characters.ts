const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as people see them: an emoji with its joiners is one. */
export const characters = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);
