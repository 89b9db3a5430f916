import { plainNumber, readQuantity } from '../../actions/calls/quantity.ts';

/** A number with the kind of thing that it measures; numbers of other kinds cannot be compared. */
export interface Measure {
  readonly value: number;
  readonly kind: string;
  /** How many of the kind's own unit one of its unit is: 1,000 for "2 km". */
  readonly factor: number;
}

const [second, minute, hour, day] = [1, 60, 3600, 86_400];
const units: Readonly<Record<string, readonly [kind: string, factor: number]>> = {
  s: ['time', second],
  sec: ['time', second],
  second: ['time', second],
  seconds: ['time', second],
  m: ['time', minute],
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
  byte: ['size', 1],
  bytes: ['size', 1],
  kb: ['size', 1e3],
  mb: ['size', 1e6],
  gb: ['size', 1e9],
  tb: ['size', 1e12],
  kib: ['size', 2 ** 10],
  mib: ['size', 2 ** 20],
  gib: ['size', 2 ** 30],
  tib: ['size', 2 ** 40],
  g: ['weight', 1e-3],
  kg: ['weight', 1],
  kilograms: ['weight', 1],
  t: ['weight', 1e3],
  tonne: ['weight', 1e3],
  tonnes: ['weight', 1e3],
  tons: ['weight', 1e3],
  lb: ['weight', 0.453_592_37],
  lbs: ['weight', 0.453_592_37],
  km: ['length', 1e3],
  mi: ['length', 1609.344],
  miles: ['length', 1609.344],
  metres: ['length', 1],
  meters: ['length', 1],
  months: ['months', 1],
  years: ['months', 12],
  '%': ['percent', 1],
  pct: ['percent', 1],
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

const shape = /^([€$£])?\s?([+-]?\d[\d.,' ’\u00A0\u202F]{0,30}?(?:e\+?\d{1,2})?)\s?([a-z%€$£]{1,10})?$/i;

/** A number with a word behind it that is no unit is one as in "1.2k", or none. */
const withUnit = (digits: string, unit: string): Measure | undefined => {
  const known = kindOf(unit);
  const number = readQuantity(known === undefined ? `${digits}${unit}` : digits);
  const [kind, factor] = known ?? ['', 1];
  return number && { value: number.value * factor, kind, factor };
};

/** "500", "1,500.50 EUR", "$20", "2 hours", "10 GB"; undefined for what is no plain quantity. */
export function parseMeasure(value: string | number): Measure | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, kind: '', factor: 1 } : undefined;
  const found = value.length > 40 ? null : shape.exec(plainNumber(value));
  if (found === null) return undefined;
  const [, sign = '', digits = '', unit = ''] = found;
  return sign !== '' && unit !== '' ? undefined : withUnit(digits, sign === '' ? unit : sign);
}

/** The unit that the name of an argument ends in: `weight_kg`, `hoursAhead` has none. Currencies have no place there. */
export function unitOfName(name: string): readonly [kind: string, factor: number] | undefined {
  const last = /[a-z]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? '';
  const isWhole = last === name.toLowerCase() || /[_\-.]/.test(name.at(-last.length - 1) ?? '');
  return isWhole && Object.hasOwn(units, last) ? units[last] : undefined;
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
