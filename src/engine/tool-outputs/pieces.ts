/**
 * Long texts are read in overlapping pieces, so that no place in them is less visible than another. The detector asks
 * more of a long text, in which something suspicious may stand by chance; in a piece of this length a short order counts.
 */
const pieceCharacters = 2000;
const overlapCharacters = 400;

/** A text as the gateway's output guard reads it; thresholds of the judge of results are set by the same pieces. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; ; from += pieceCharacters - overlapCharacters) {
    yield text.slice(from, from + pieceCharacters);
    if (from + pieceCharacters >= text.length) return;
  }
}
