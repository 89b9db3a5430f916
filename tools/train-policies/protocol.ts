/**
 * How custom policies are measured. No figure says enough alone, so all are reported together, with a control that
 * never sees the policy beside them: what the control reaches too was heard from how a text is said.
 */
import { bootstrapInterval } from '../../src/engine/evaluation/intervals.ts';
import { Random } from '../../src/base/random.ts';
import { areaUnderRoc } from '../../src/engine/evaluation/ranking.ts';
import { type Kind, type PolicyCase, kinds } from './cases.ts';
import type { OrdinaryText } from './ordinary.ts';

/** One text of the measurement. */
export interface TextOf {
  text: string;
  language: string;
  /** Number of the policy that it was written for, or -1 for ordinary text. */
  owner: number;
  kind: Kind | 'ordinary';
  source: string;
}

/** Numbers of the texts that a policy is judged on. */
export interface PolicySets {
  own: Record<Kind, number[]>;
  /** Violations of other policies, the policies of the same trade left out. */
  wrong: number[];
  /** Violations of other policies of the same trade. */
  wrongOfTrade: number[];
  /** Harmless texts of other policies. */
  others: number[];
  ordinary: number[];
}

export interface Bank {
  cases: readonly PolicyCase[];
  texts: TextOf[];
  sets: PolicySets[];
}

const othersOfEach = 60;

/** The texts of all policies, and of each policy which others it is compared with; those are of its language. */
export function makeBank(cases: readonly PolicyCase[], ordinary: readonly OrdinaryText[], seed = 1): Bank {
  const texts: TextOf[] = [];
  const own = cases.map((each, owner) => {
    const at = {} as Record<Kind, number[]>;
    for (const kind of kinds)
      at[kind] = each.texts[kind].map(
        (text) => texts.push({ text, language: each.language, owner, kind, source: each.hand }) - 1,
      );
    return at;
  });
  const random = new Random(seed);
  const measured = ordinary.filter(({ trained }) => !trained);
  const firstOrdinary = texts.length;
  for (const { text, source } of measured)
    texts.push({ text, language: '', owner: -1, kind: 'ordinary', source });
  const sets = cases.map((each, p): PolicySets => {
    const others = cases
      .map((other, q) => ({ other, q }))
      .filter(({ other, q }) => q !== p && other.language === each.language);
    const foreign = others.filter(({ other }) => other.trade !== each.trade);
    const ofTrade = others.filter(({ other }) => other.trade === each.trade);
    const violations = (list: typeof others) =>
      list.flatMap(({ q }) => [...(own[q]?.violating ?? []), ...(own[q]?.plain ?? [])]);
    const harmless = foreign.flatMap(({ q }) => [...(own[q]?.near ?? []), ...(own[q]?.other ?? [])]);
    return {
      own: own[p] ?? ({} as Record<Kind, number[]>),
      wrong: random.sample(violations(foreign), othersOfEach),
      wrongOfTrade: random.sample(violations(ofTrade), othersOfEach),
      others: random.sample(harmless, othersOfEach),
      ordinary: measured.map((_, i) => firstOrdinary + i),
    };
  });
  return { cases, texts, sets };
}

/** The logit of a text under a policy, by their numbers in the bank. */
export type Score = (policy: number, text: number) => number;

export interface Figure {
  value: number;
  low: number;
  high: number;
  /** Policies (for areas) or pairs that it was measured on. */
  of: number;
}

export interface Figures {
  /** Macro areas under the ROC curve. */
  near: Figure;
  plain: Figure;
  other: Figure;
  wrong: Figure;
  wrongOfTrade: Figure;
  /** Shares at the cut. */
  ordinaryFlagged: Figure;
  nearFlagged: Figure;
  otherFlagged: Figure;
  found: Figure;
  foundPlain: Figure;
  /** Share found where half a per cent of the ordinary text is flagged, over all policies with one cut. */
  foundAtHalfPerCent: number;
  foundPlainAtHalfPerCent: number;
  cutAtHalfPerCent: number;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

/** The mean over policies with a 95 % bootstrap interval over policies. */
export function overPolicies(values: readonly (number | undefined)[]): Figure {
  const known = values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[];
  if (known.length === 0) return { value: NaN, low: NaN, high: NaN, of: 0 };
  const { low, high } = bootstrapInterval(
    known.length,
    (drawn) => drawn.reduce((sum, i) => sum + (known[i] ?? 0), 0) / drawn.length,
    { seed: 1 },
  );
  return { value: mean(known), low, high, of: known.length };
}

/** Measures `score` for the policies numbered in `which`; a pair counts as flagged from `cut` on. */
export function measure(bank: Bank, which: readonly number[], score: Score, cut = 0): Figures {
  const rows = which.map((p) => {
    const sets = bank.sets[p];
    if (sets === undefined) throw new RangeError(`no policy number ${p}`);
    const of = (texts: readonly number[]) => texts.map((t) => score(p, t));
    const violating = of(sets.own.violating);
    const plain = of(sets.own.plain);
    const near = of(sets.own.near);
    const area = (positive: readonly number[], negative: readonly number[]) =>
      negative.length < 5
        ? undefined
        : areaUnderRoc([...positive, ...negative], [...positive.map(() => 1), ...negative.map(() => 0)]);
    const share = (scores: readonly number[]) =>
      scores.length === 0 ? undefined : scores.filter((each) => each >= cut).length / scores.length;
    const ordinary = of(sets.ordinary);
    return {
      near: area(violating, near),
      plain: area(plain, near),
      other: area(violating, of(sets.others)),
      wrong: area(violating, of(sets.wrong)),
      wrongOfTrade: area(violating, of(sets.wrongOfTrade)),
      ordinaryFlagged: share(ordinary),
      nearFlagged: share(near),
      otherFlagged: share(of(sets.own.other)),
      found: share(violating),
      foundPlain: share(plain),
      all: { ordinary, violating, plain },
    };
  });
  const ordinary = rows.flatMap(({ all }) => all.ordinary).sort((a, b) => b - a);
  const cutAtHalfPerCent = ordinary[Math.floor(ordinary.length * 0.005)] ?? 0;
  const foundAt = (scores: readonly number[]) =>
    mean(scores.map((each) => (each > cutAtHalfPerCent ? 1 : 0)));
  return {
    near: overPolicies(rows.map((row) => row.near)),
    plain: overPolicies(rows.map((row) => row.plain)),
    other: overPolicies(rows.map((row) => row.other)),
    wrong: overPolicies(rows.map((row) => row.wrong)),
    wrongOfTrade: overPolicies(rows.map((row) => row.wrongOfTrade)),
    ordinaryFlagged: overPolicies(rows.map((row) => row.ordinaryFlagged)),
    nearFlagged: overPolicies(rows.map((row) => row.nearFlagged)),
    otherFlagged: overPolicies(rows.map((row) => row.otherFlagged)),
    found: overPolicies(rows.map((row) => row.found)),
    foundPlain: overPolicies(rows.map((row) => row.foundPlain)),
    foundAtHalfPerCent: foundAt(rows.flatMap(({ all }) => all.violating)),
    foundPlainAtHalfPerCent: foundAt(rows.flatMap(({ all }) => all.plain)),
    cutAtHalfPerCent,
  };
}

const short = (value: number) => (Number.isNaN(value) ? '  – ' : value.toFixed(3).replace(/^0/, ''));

/** One line of a table for `measure`; intervals on request. */
export function lineOf(name: string, figures: Figures): string {
  const { near, plain, other, wrong, wrongOfTrade } = figures;
  const areas = [near, plain, other, wrong, wrongOfTrade].map(({ value }) => short(value)).join('  ');
  const shares = [
    figures.ordinaryFlagged,
    figures.nearFlagged,
    figures.otherFlagged,
    figures.found,
    figures.foundPlain,
  ]
    .map(({ value }) => short(value))
    .join('  ');
  return `${name.padEnd(34)} ${areas}  | ${shares}  | ${short(figures.foundAtHalfPerCent)}  ${short(figures.foundPlainAtHalfPerCent)}`;
}

export const headLine = `${''.padEnd(34)} near  plain other wrong trade | ordin near  other found plain | f@.5% p@.5%`;

/** The areas with their intervals, one line each. */
export const intervalLines = (figures: Figures): string[] =>
  (
    [
      'near',
      'plain',
      'other',
      'wrong',
      'wrongOfTrade',
      'ordinaryFlagged',
      'nearFlagged',
      'found',
      'foundPlain',
    ] as const
  ).map((name) => {
    const { value, low, high, of } = figures[name];
    return `${name.padEnd(16)} ${short(value)}  [${short(low)}, ${short(high)}]  n = ${of}`;
  });

/** Policies that the control judges each text by: fixed, and never the text's own or one of its trade. */
const controlPolicies = 8;

/**
 * A control that never sees the policy: the mean logit of a text under policies that have nothing to do with it. What
 * it reaches, the judge has heard from how a text is said, not from what the policy says.
 */
export function blindControl(bank: Bank, score: Score): Score {
  const random = new Random(7);
  const order = random.sample(
    bank.cases.map((_, p) => p),
    bank.cases.length,
  );
  const known = new Map<number, number>();
  return (_, text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const owner = bank.texts[text]?.owner ?? -1;
    const trade = bank.cases[owner]?.trade;
    const strangers = order
      .filter((p) => p !== owner && bank.cases[p]?.trade !== trade)
      .slice(0, controlPolicies);
    const value = mean(strangers.map((p) => score(p, text)));
    known.set(text, value);
    return value;
  };
}
