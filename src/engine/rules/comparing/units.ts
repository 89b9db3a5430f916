/** Units as rules and names of arguments write them, with what they measure and how they convert. */

export type Dimension =
  | 'time'
  | 'weight'
  | 'length'
  | 'volume'
  | 'share'
  | 'money'
  | 'speed'
  | 'temperature'
  | 'size'
  | 'energy'
  | 'power';

export interface Unit {
  readonly dimension: Dimension;
  /** How many of the dimension's own unit one of it is. */
  readonly factor: number;
}

const [minute, hour, day] = [60, 3600, 86_400];

/** Names of a unit, its dimension and its factor; months and years by their mean length. */
const table: readonly (readonly [names: string, dimension: Dimension, factor: number])[] = [
  ['ms millisecond milliseconds', 'time', 0.001],
  ['s sec secs second seconds', 'time', 1],
  ['min mins minute minutes', 'time', minute],
  ['h hr hrs hour hours', 'time', hour],
  ['d day days', 'time', day],
  ['night nights', 'time', day],
  ['w week weeks', 'time', 7 * day],
  ['mo month months', 'time', 30.4375 * day],
  ['y yr yrs year years', 'time', 365.25 * day],
  ['mg', 'weight', 1e-6],
  ['g gram grams', 'weight', 1e-3],
  ['kg kgs kilo kilos kilogram kilograms', 'weight', 1],
  ['t ton tons tonne tonnes', 'weight', 1000],
  ['lb lbs', 'weight', 0.453_592_37],
  ['mm millimetre millimetres millimeter millimeters', 'length', 1e-3],
  ['cm centimetre centimetres centimeter centimeters', 'length', 1e-2],
  ['m metre metres meter meters', 'length', 1],
  ['km kilometre kilometres kilometer kilometers', 'length', 1000],
  ['mi mile miles', 'length', 1609.344],
  ['ml millilitre millilitres', 'volume', 1e-3],
  ['l litre litres liter liters', 'volume', 1],
  ['percent pct percentage', 'share', 1],
  ['eur euro euros', 'money', 1],
  ['usd dollar dollars', 'money', 1],
  ['gbp pound pounds quid', 'money', 1],
  ['chf franc francs', 'money', 1],
  ['kmh kph', 'speed', 1],
  ['mph', 'speed', 1.609_344],
  ['c celsius degree degrees', 'temperature', 1],
  ['kb', 'size', 1e3],
  ['mb megabyte megabytes', 'size', 1e6],
  ['gb gigabyte gigabytes', 'size', 1e9],
  ['tb terabyte terabytes', 'size', 1e12],
  ['kwh', 'energy', 1],
  ['mwh', 'energy', 1000],
  ['kw', 'power', 1],
  ['mw', 'power', 1000],
];

const units = new Map<string, Unit>(
  table.flatMap(([names, dimension, factor]) => names.split(' ').map((name) => [name, { dimension, factor }] as const)),
);

const signs: Readonly<Record<string, string>> = { '%': 'percent', '€': 'euros', $: 'dollars', '£': 'pounds', 'km/h': 'kmh', '°': 'degrees' };

/** The name that a rule keeps for a unit; undefined where the word names none. */
export function unitName(word: string): string | undefined {
  const plain = signs[word] ?? word.toLowerCase().replace(/^°/, '');
  return units.has(plain) ? plain : undefined;
}

export const unitOf = (name: string): Unit | undefined => units.get(signs[name] ?? name.toLowerCase());

/** The unit that the last word of an argument's name is: `duration_minutes`, `weight_kg`; short ones only after a sign. */
export function unitOfKey(words: readonly string[]): Unit | undefined {
  for (const word of words.toReversed()) {
    const found = units.get(word);
    if (found !== undefined && (word.length > 1 || words.length > 1)) return found;
  }
  return undefined;
}

const isoSpan = /^P(?:(\d+(?:\.\d+)?)Y)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const spanFactors = [365.25 * day, 30.4375 * day, 7 * day, day, hour, minute, 1];
const measureShape = /^([€$£])?\s?(-?\d{1,12}(?:[ ,]\d{3})*(?:\.\d{1,6})?)\s?(%|km\/h|[a-z€$£°]{1,12})?$/i;

/** A value with its unit as it stands in an argument: `"2 l"`, `"PT3H20M"`, `"€40"`. */
export function measureIn(text: string): { value: number; unit: Unit } | undefined {
  const plain = text.trim();
  if (plain.length > 40) return undefined;
  const span = plain.length > 2 ? isoSpan.exec(plain) : null;
  if (span !== null) {
    const value = spanFactors.reduce((sum, factor, at) => sum + Number(span[at + 1] ?? 0) * factor, 0);
    return { value, unit: { dimension: 'time', factor: 1 } };
  }
  const found = measureShape.exec(plain);
  const name = found?.[3] ?? found?.[1];
  const unit = name === undefined ? undefined : unitOf(name);
  return found === null || unit === undefined
    ? undefined
    : { value: Number((found[2] ?? '').replaceAll(/[ ,]/g, '')), unit };
}
