/** A table of plain text: the first column to the left, the others to the right; no colours, so that it can be piped. */
export function layout(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(header), ...rows.map(line)].join('\n');
}

/** `.734`, `1.000`, or a dash where there is no such measure. */
export const share = (value: number | null): string =>
  value === null ? '–' : value.toFixed(3).replace(/^0/, '');

/** A difference in points (hundredths), with its sign. */
export function points(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value * 100).toFixed(1);
  if (size === '0.0') return size;
  return `${value < 0 ? '−' : '+'}${size}`;
}

export const whole = (value: number): string => value.toLocaleString('en');
