const mostStars = 8;

/** Why a glob cannot be taken; undefined where it can. */
export const refuseGlob = (glob: string): string | undefined =>
  glob.split('*').length - 1 > mostStars ? `may have at most ${mostStars} stars` : undefined;

/**
 * `*` stands for any characters, in either case of letters. Each piece between stars is looked for once from left to
 * right: no way of writing the glob or the text makes that slower than pieces × length.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const pieces = glob.toLowerCase().split('*');
  const lower = text.toLowerCase();
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
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
