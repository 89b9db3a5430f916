/** About 1,500 tokens: models overlook content in the middle of longer texts. */
const windowLength = 6000;
const overlap = 900;
/** Of one text; a longer one is read at its beginning, its end and evenly between. */
const mostWindows = 12;

/** The pieces of a text that the model reads, and whether they are all of it. */
export function windowsOf(text: string): { readonly windows: readonly string[]; readonly isWhole: boolean } {
  if (text.length <= windowLength) return { windows: [text], isWhole: true };
  const step = windowLength - overlap;
  const count = Math.ceil((text.length - overlap) / step);
  const last = text.length - windowLength;
  const shown = Math.min(count, mostWindows);
  const windows = Array.from({ length: shown }, (_, i) => {
    const from = Math.round((last * i) / (shown - 1));
    return text.slice(from, from + windowLength);
  });
  return { windows, isWhole: count <= mostWindows };
}
