/** The lines in which two texts differ. Pure. */

export interface DifferentLine {
  readonly change: 'same' | 'removed' | 'added';
  readonly line: string;
}

/** More lines are compared as one block: the table of common lines grows with their product. */
const mostLines = 400;

/** For each pair of places, how many lines the rests of both texts have in common, in order. */
function commonLines(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}

/** By the longest common subsequence, so that a line beside which nothing moved stays where it is. */
export function lineDifference(before: string, after: string): DifferentLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const removed = (line: string): DifferentLine => ({ change: 'removed', line });
  const added = (line: string): DifferentLine => ({ change: 'added', line });
  if (a.length > mostLines || b.length > mostLines) return [...a.map(removed), ...b.map(added)];
  return aligned(a, b).map(({ own, other }) =>
    own === undefined
      ? added(other ?? '')
      : other === undefined
        ? removed(own)
        : { change: 'same', line: own },
  );
}

interface Pair {
  readonly own?: string | undefined;
  readonly other?: string | undefined;
}

/** Each line of either text, beside its equal where it has one. */
function aligned(a: readonly string[], b: readonly string[]): Pair[] {
  const common = commonLines(a, b);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [own, other] = [a[i], b[j]];
    const isSame = own === other;
    const isRemoved = !isSame && common(i + 1, j) >= common(i, j + 1);
    pairs.push(isSame ? { own, other } : isRemoved ? { own } : { other });
    if (isSame || isRemoved) i += 1;
    if (!isRemoved) j += 1;
  }
  return [...pairs, ...a.slice(i).map((own) => ({ own })), ...b.slice(j).map((other) => ({ other }))];
}
