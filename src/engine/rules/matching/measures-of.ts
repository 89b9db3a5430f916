/** The quantity of a call that a limit of a rule speaks of. */
import type { Leaf } from '../../actions/calls/leaves.ts';
import { isMet } from '../../actions/judging/met.ts';
import { amountOf, countOf } from '../../actions/judging/quantities.ts';
import { answerLeaves, knownOfThing } from '../../actions/judging/records.ts';
import type { Scene } from '../../actions/judging/scene.ts';
import { nameWords, root } from '../../actions/words.ts';
import { parseDate } from '../comparing/measure.ts';
import { type Unit, measureIn, unitOf, unitOfKey } from '../comparing/units.ts';

/** A value in the unit of the rule. */
export interface Measured {
  readonly value: number;
  readonly name: string;
}

const noQuantity =
  /(?:^|_)(?:id|no|nr|number|phone|zip|port|year|version|iban|account|room|flat|page|ref|code|index|step)$|Id$/i;
const moneyKey = /amount|total|price|sum|cost|budget|payment|fee|salary|value|deposit|refund|credit|spend/i;
const soFar = /current|already|used|so_?far|existing|booked|driven|spent|loaded|taken|to_?date|accumulated/i;
const limitKey = /max|min|limit|cap\b|allowed|threshold/i;

interface Candidate extends Measured {
  readonly rank: number;
}

const hasWord = (key: string, words: readonly string[]) => {
  const roots = new Set(nameWords(key).map(root));
  return words.filter((word) => isMet(word, roots)).length;
};

/** One value in the unit of the rule; undefined where it is of another kind. */
function convert(leaf: Leaf, unit: Unit | undefined): { value: number; byUnit: boolean } | undefined {
  const own = measureIn(leaf.text);
  if (own !== undefined)
    return unit === undefined || own.unit.dimension !== unit.dimension
      ? undefined
      : { value: (own.value * own.unit.factor) / unit.factor, byUnit: true };
  if (leaf.number === undefined || !Number.isFinite(leaf.number)) return undefined;
  const keyUnit = unitOfKey(nameWords(leaf.key));
  if (unit === undefined) return keyUnit === undefined ? { value: leaf.number, byUnit: false } : undefined;
  if (keyUnit === undefined)
    return { value: leaf.number, byUnit: unit.dimension === 'money' && moneyKey.test(leaf.key) };
  return keyUnit.dimension === unit.dimension
    ? { value: (leaf.number * keyUnit.factor) / unit.factor, byUnit: true }
    : undefined;
}

const spans: readonly (readonly [RegExp, RegExp])[] = [
  [/(?:^|_)(?:from|start|begin|arrival|check_?in|valid_?from|pickup|departure)(?:_|$|[A-Z])/i, /(?:^|_)(?:to|end|until|till|departure|check_?out|valid_?(?:to|until)|return|dropoff)(?:_|$|[A-Z])/i],
];

/** `valid_from` and `valid_to` give a time; both days count where they are days. */
function spanOf(leaves: readonly Leaf[], unit: Unit): Candidate | undefined {
  if (unit.dimension !== 'time') return undefined;
  for (const [first, last] of spans) {
    const from = leaves.find(({ key, text }) => first.test(key) && parseDate(text) !== undefined);
    const to = leaves.find((leaf) => leaf !== from && last.test(leaf.key) && parseDate(leaf.text) !== undefined);
    if (from === undefined || to === undefined) continue;
    const seconds = ((parseDate(to.text) ?? 0) - (parseDate(from.text) ?? 0)) / 1000;
    const isNights = /check|arrival/i.test(from.key);
    const whole = from.text.length === 10 && !isNights ? seconds + 86_400 : seconds;
    // A month has 28 to 31 days: "twelve months" from the first to the last day is no longer than that.
    const value = unit.factor > 2e6 ? Math.round((whole / unit.factor) * 10) / 10 : whole / unit.factor;
    if (seconds >= 0) return { value, name: `${from.key} to ${to.key}`, rank: 2 };
  }
  return undefined;
}

function candidatesIn(leaves: readonly Leaf[], of: readonly string[], unit: Unit | undefined): Candidate[] {
  const found = leaves.slice(0, 200).flatMap((leaf): Candidate[] => {
    const named = hasWord(leaf.path, of);
    if (noQuantity.test(leaf.key) && named === 0) return [];
    const own = convert(leaf, unit);
    if (own === undefined) return [];
    const rank = (own.byUnit ? 2 : 0) + named - (limitKey.test(leaf.key) && named === 0 ? 1 : 0);
    return [{ value: Math.abs(own.value), name: leaf.path, rank }];
  });
  const span = unit && spanOf(leaves, unit);
  return span === undefined ? found : [...found, span];
}

const bestOf = (all: readonly Candidate[]): Candidate | undefined => {
  const rank = Math.max(...all.map((one) => one.rank));
  const best = all.filter((one) => one.rank === rank);
  if (rank <= 0 && best.length > 1) return undefined;
  return best.reduce<Candidate | undefined>((most, one) => (most === undefined || one.value > most.value ? one : most), undefined);
};

/** The number of things that are listed under a name of the rule. */
function listLength(leaves: readonly Leaf[], of: readonly string[]): Candidate | undefined {
  const lengths = new Map<string, number>();
  for (const { path } of leaves) {
    const list = /^(.*?)\.(\d+)(?:\.|$)/.exec(path);
    if (list !== null) lengths.set(list[1] ?? '', Math.max(lengths.get(list[1] ?? '') ?? 0, Number(list[2]) + 1));
  }
  for (const [name, value] of lengths) if (hasWord(name, of) > 0) return { value, name, rank: 2 };
  return undefined;
}

/**
 * The quantity in the unit of the rule: of the call, else of the latest answer about its thing. What an answer says was
 * used so far is added to what the call adds.
 * @param of words by which it may be named
 * @param unit name of the unit, where the rule has one
 */
export function measuredIn(scene: Scene, of: readonly string[], unit?: string): Measured | undefined {
  const known = unit === undefined ? undefined : unitOf(unit);
  const { leaves } = scene.call;
  const own = [...candidatesIn(leaves, of, known)];
  const list = known === undefined ? listLength(leaves, of) : undefined;
  if (list !== undefined) own.push(list);
  const best = bestOf(own);
  if (best !== undefined) {
    const before = knownOfThing(scene)
      .flatMap((answer) => answer.filter(({ key }) => soFar.test(key)))
      .flatMap((leaf) => (known === undefined ? [] : (convert(leaf, known) ?? [])))
      .find(({ byUnit }) => byUnit);
    return before === undefined ? best : { ...best, value: best.value + before.value };
  }
  for (const answer of knownOfThing(scene)) {
    const found = bestOf(candidatesIn(answer, of, known).filter(({ rank }) => rank > 0));
    if (found !== undefined) return found;
  }
  // What was just measured need not name the thing of the call: a wind, a temperature.
  if (known !== undefined && known.dimension !== 'money')
    for (const call of scene.earlier.slice(-6).toReversed()) {
      const found = bestOf(candidatesIn(answerLeaves(call), of, known).filter(({ rank }) => rank > 0));
      if (found !== undefined) return found;
    }
  if (known?.dimension === 'money') {
    const value = amountOf(scene.call);
    return value === undefined ? undefined : { value, name: 'amount' };
  }
  const count = known === undefined ? countOf(scene.call, of) : 0;
  return count > 0 ? { value: count, name: 'count' } : undefined;
}
