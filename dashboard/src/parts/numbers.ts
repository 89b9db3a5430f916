const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const count = (n: number): string => (n < 100_000 ? whole.format(n) : compact.format(n));
/** A percentage with one decimal, so that values in a column can be compared; 0 % and 100 % have none. */
export const share = (part: number): string =>
  part === 0 ? '0%' : part === 1 ? '100%' : percent.format(part);
export const milliseconds = (ms: number | null): string =>
  ms === null
    ? '–'
    : ms < 1
      ? `${Number(ms.toFixed(2))} ms`
      : ms < 10
        ? `${Number(ms.toFixed(1))} ms`
        : ms < 1000
          ? `${Math.round(ms)} ms`
          : `${(ms / 1000).toFixed(1)} s`;
