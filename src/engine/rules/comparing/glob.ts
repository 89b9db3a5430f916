const mostStars = 8;

/** Why a glob cannot be taken; undefined where it can. */
export const refuseGlob = (glob: string): string | undefined =>
  glob.split('*').length - 1 > mostStars ? `may have at most ${mostStars} stars` : undefined;

interface Pieces {
  readonly first: string;
  readonly rest: readonly string[];
  /** Undefined where there is no star. */
  readonly last: string | undefined;
}

const mostKnown = 2000;
const known = new Map<string, Pieces>();

/** Remembered, since rules try the same globs again with each call. */
function piecesOf(glob: string): Pieces {
  const before = known.get(glob);
  if (before !== undefined) return before;
  const [first = '', ...rest] = glob.toLowerCase().split('*');
  const last = rest.pop();
  const pieces = { first, rest, last };
  if (known.size >= mostKnown) known.clear();
  known.set(glob, pieces);
  return pieces;
}

/**
 * `*` stands for any characters, in either case of letters. Each piece between stars is looked for once from left to
 * right: no way of writing the glob or the text makes that slower than pieces × length.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const { first, rest, last } = piecesOf(glob);
  const lower = text.toLowerCase();
  if (last === undefined) return lower === first;
  if (!lower.startsWith(first) || !lower.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = lower.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= lower.length - last.length;
}
