/** Values on an axis that a person reads easily: 1, 2 or 5 times a power of ten apart, from 0 or below to the most. */
export function niceTicks(least: number, most: number, wished = 5): number[] {
  const end = most > least ? most : least + 1;
  const span = end - least;
  const rough = span / wished;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const from = Math.floor(least / step) * step;
  const ticks: number[] = [];
  for (let i = 0; from + i * step < end + step * 0.999; i++)
    ticks.push(Number((from + i * step).toPrecision(12)));
  return ticks;
}

export type Format = 'number' | 'percent';

/** A value as a chart writes it; percents are shares of 1. */
export function formatted(value: number, format: Format): string {
  if (!Number.isFinite(value)) return '–';
  if (format === 'percent') {
    const percent = value * 100;
    return `${Number.isInteger(Number(percent.toFixed(6))) ? Math.round(percent) : percent.toFixed(1)} %`;
  }
  return Math.abs(value) >= 1000 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
