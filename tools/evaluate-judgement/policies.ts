/** Custom policies from their text alone, on trades that nothing was trained on. */
import type { TextEngine } from '../../src/engine/text/engine.ts';
import type { PolicyCase } from '../train-policies/cases.ts';
import { engineScore } from '../train-policies/engine-score.ts';
import {
  type Bank,
  type Figures,
  type PolicySets,
  type Score,
  blindControl,
  measure,
} from '../train-policies/protocol.ts';
import type { Goal, Row } from './figure.ts';
import type { AnyEngine } from './texts.ts';

type Measure =
  | 'near'
  | 'other'
  | 'wrong'
  | 'wrongOfTrade'
  | 'ordinaryFlagged'
  | 'found'
  | 'foundPlain'
  | 'nearFlagged';

interface Asked {
  measure: Measure;
  title: string;
  goal?: Goal;
  /** Areas alone: a control that never sees the policy flags nothing. */
  hasControl?: boolean;
}

/** What is asked of a policy's text alone. */
const asked: readonly Asked[] = [
  {
    measure: 'near',
    title: '*near*: own violations, own near misses',
    goal: { least: 0.8 },
    hasControl: true,
  },
  {
    measure: 'other',
    title: "*other*: own violations, other policies' harmless texts",
    goal: { least: 0.9 },
    hasControl: true,
  },
  {
    measure: 'wrong',
    title: "*wrong*: own violations, other policies' violations",
    goal: { least: 0.85 },
    hasControl: true,
  },
  { measure: 'wrongOfTrade', title: '*wrong* within a trade', hasControl: true },
  { measure: 'ordinaryFlagged', title: 'ordinary text flagged', goal: { most: 0.005 } },
  { measure: 'found', title: "violations without the policy's words found", goal: { least: 0.5 } },
  { measure: 'foundPlain', title: "violations in the policy's words found" },
  { measure: 'nearFlagged', title: 'near misses flagged' },
];

const speaksOfTalk = /\b(?:ask|talk|discuss|advice|advis|recommend|answer|question|opinion|tell)/i;
const longWording = 60;

const wordsOf = ({ source }: PolicyCase) =>
  [source.description, ...source.blockActivities].join(' ').split(/\s+/).length;

/** Groups of policies; each is measured apart. */
const groupings: readonly (readonly [what: string, of: (each: PolicyCase) => string])[] = [
  ['hand', ({ hand }) => hand],
  ['trade', ({ trade }) => trade],
  ['language', ({ language }) => language],
  [
    'kind of policy',
    (each) =>
      speaksOfTalk.test([each.source.description, ...each.source.blockActivities].join(' '))
        ? 'about what is said or advised'
        : 'about what is done',
  ],
  ['length of the policy', (each) => (wordsOf(each) < longWording ? 'below 60 words' : '60 words or more')],
];

const lengths = [
  ['below 80 characters', 0, 80],
  ['80 to 159 characters', 80, 160],
  ['160 characters or more', 160, Infinity],
] as const;

/** The same sets with texts of some lengths alone. */
function withLengths(bank: Bank, least: number, below: number): Bank {
  const fits = (t: number) => {
    const length = bank.texts[t]?.text.length ?? 0;
    return length >= least && length < below;
  };
  const sets = bank.sets.map((set): PolicySets => {
    const { violating, plain, near, other } = set.own;
    return {
      own: {
        violating: violating.filter(fits),
        plain: plain.filter(fits),
        near: near.filter(fits),
        other: other.filter(fits),
      },
      wrong: set.wrong.filter(fits),
      wrongOfTrade: set.wrongOfTrade.filter(fits),
      others: set.others.filter(fits),
      ordinary: set.ordinary.filter(fits),
    };
  });
  return { ...bank, sets };
}

const shownInGroups = ['near', 'other', 'wrong', 'found'] as const;

/** Figures of one group of policies, or of texts. */
export interface PolicyGroup {
  what: string;
  name: string;
  policies: number;
  figures: Pick<Figures, (typeof shownInGroups)[number]>;
}

export interface PolicyReport {
  rows: Row[];
  groups: PolicyGroup[];
}

/** All held-out policies of the bank, with the blind control, and each group of them. */
export function measurePolicies(engine: AnyEngine, bank: Bank): PolicyReport {
  const score = engineScore(engine as TextEngine, bank);
  const all = bank.cases.flatMap((each, p) => (each.heldOut ? [p] : []));
  const now = measure(bank, all, score);
  const blind = measure(bank, all, blindControl(bank, score));
  const rows = asked.map(({ measure: name, title, goal, hasControl }): Row => ({
    title,
    now: now[name],
    ...(goal && { goal }),
    ...(hasControl === true && { control: blind[name] }),
  }));
  return { rows, groups: groupsOf(bank, all, score) };
}

function groupsOf(bank: Bank, all: readonly number[], score: Score): PolicyGroup[] {
  const figuresOf = (of: Bank, which: readonly number[]): PolicyGroup['figures'] => {
    const { near, other, wrong, found } = measure(of, which, score);
    return { near, other, wrong, found };
  };
  const byPolicy = groupings.flatMap(([what, of]) => {
    const names = [...new Set(all.flatMap((p) => bank.cases[p] ?? []).map(of))].sort();
    return names.map((name): PolicyGroup => {
      const which = all.filter((p) => {
        const each = bank.cases[p];
        return each !== undefined && of(each) === name;
      });
      return { what, name, policies: which.length, figures: figuresOf(bank, which) };
    });
  });
  const byText = lengths.map(([name, least, below]): PolicyGroup => ({
    what: 'length of the texts',
    name,
    policies: all.length,
    figures: figuresOf(withLengths(bank, least, below), all),
  }));
  return [...byPolicy, ...byText];
}
