const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const count = (n: number): string => (n < 100_000 ? whole.format(n) : compact.format(n));
export const share = (part: number): string => percent.format(part);
export const milliseconds = (ms: number | null): string =>
  ms === null
    ? '–'
    : ms < 10
      ? `${ms.toFixed(2)} ms`
      : ms < 1000
        ? `${Math.round(ms)} ms`
        : `${(ms / 1000).toFixed(1)} s`;
