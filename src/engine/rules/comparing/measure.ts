/** A number with the kind of thing that it measures; numbers of other kinds cannot be compared. */
export interface Measure {
  readonly value: number;
  readonly kind: string;
}

const [second, minute, hour, day] = [1, 60, 3600, 86_400];
const units: Readonly<Record<string, readonly [kind: string, factor: number]>> = {
  s: ['time', second],
  sec: ['time', second],
  second: ['time', second],
  seconds: ['time', second],
  min: ['time', minute],
  minute: ['time', minute],
  minutes: ['time', minute],
  h: ['time', hour],
  hour: ['time', hour],
  hours: ['time', hour],
  day: ['time', day],
  days: ['time', day],
  week: ['time', 7 * day],
  weeks: ['time', 7 * day],
  b: ['size', 1],
  kb: ['size', 1e3],
  mb: ['size', 1e6],
  gb: ['size', 1e9],
  tb: ['size', 1e12],
  kib: ['size', 2 ** 10],
  mib: ['size', 2 ** 20],
  gib: ['size', 2 ** 30],
  tib: ['size', 2 ** 40],
  '%': ['percent', 1],
  percent: ['percent', 1],
  '€': ['EUR', 1],
  $: ['USD', 1],
  '£': ['GBP', 1],
};
const currency = /^[A-Za-z]{3}$/;

const kindOf = (unit: string): readonly [kind: string, factor: number] | undefined => {
  if (unit === '') return ['', 1];
  return Object.hasOwn(units, unit.toLowerCase())
    ? units[unit.toLowerCase()]
    : currency.test(unit)
      ? [unit.toUpperCase(), 1]
      : undefined;
};

const shape = /^([€$£])?\s?(-?\d{1,15}(?:,\d{3})*(?:\.\d{1,9})?)\s?([a-z%€$£]{1,10})?$/i;

/** "500", "1,500.50 EUR", "$20", "2 hours", "10 GB"; undefined for what is no plain quantity. */
export function parseMeasure(value: string | number): Measure | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, kind: '' } : undefined;
  const found = value.length > 40 ? null : shape.exec(value.trim());
  if (found === null) return undefined;
  const [, sign = '', digits = '', unit = ''] = found;
  if (sign !== '' && unit !== '') return undefined;
  const known = kindOf(sign === '' ? unit : sign);
  return known && { value: Number(digits.replaceAll(',', '')) * known[1], kind: known[0] };
}

const dateShape = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO dates as milliseconds; those without a zone are UTC. */
export function parseDate(value: string): number | undefined {
  if (!dateShape.test(value)) return undefined;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10));
  const spaced = value.replace(' ', 'T');
  const moment = Date.parse(value.length > 10 && !hasZone ? `${spaced}Z` : spaced);
  return Number.isNaN(moment) ? undefined : moment;
}
