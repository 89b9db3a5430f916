const sliceLength = 8192;
const sliceOverlap = 400;

/** Pieces of a long text, cut at white space, overlapping: the cost of each is bounded. A short text is one piece. */
export function* slicesOf(text: string): Generator<[from: number, to: number]> {
  let from = 0;
  while (from === 0 || from < text.length) {
    const to = from + sliceLength >= text.length ? text.length : cutBefore(text, from + sliceLength);
    yield [from, to];
    if (to >= text.length) return;
    from = to - sliceOverlap;
  }
}

function cutBefore(text: string, at: number): number {
  for (let cut = at; cut > at - sliceOverlap / 2; cut--) if (text.charCodeAt(cut) <= 32) return cut;
  return at;
}
