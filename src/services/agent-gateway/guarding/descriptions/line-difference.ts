/** The lines in which two texts differ. Pure. */

export interface DifferentLine {
  readonly change: 'same' | 'removed' | 'added';
  readonly line: string;
}

/** More lines are compared as one block: the table of common lines grows with their product. */
const mostLines = 400;

/** Longest common subsequence of lines, so that a line that moved nothing else stays where it is. */
export function lineDifference(before: string, after: string): DifferentLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const removed = (line: string): DifferentLine => ({ change: 'removed', line });
  const added = (line: string): DifferentLine => ({ change: 'added', line });
  if (a.length > mostLines || b.length > mostLines) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  const lines: DifferentLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const [own = '', other = ''] = [a[i], b[j]];
    if (i < a.length && j < b.length && own === other) {
      lines.push({ change: 'same', line: own });
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push(removed(own));
      i += 1;
    } else {
      lines.push(added(other));
      j += 1;
    }
  }
  return lines;
}
