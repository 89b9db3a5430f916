/** What is wrong with a data set, before a scan finds out. */

import { findEntry } from '#findings/frameworks.ts';
import { faultOf } from '../replies/content/criteria.ts';
import type { Expectation } from '../replies/expectation.ts';
import type { ScanCase } from './case.ts';
import { findDuplicates } from './duplicates.ts';
import { expectationSchema } from './expectation-schema.ts';
import { slotsOf } from './slots.ts';

export interface Problem {
  /** The case's id. */
  case: string;
  problem: string;
}

/** Problems of a set's cases. Cases of one group are alike on purpose; without groups, all are compared. */
export function lintCases(
  cases: readonly ScanCase[],
  groups: ReadonlyMap<string, string> = new Map(),
): Problem[] {
  const found: Problem[] = [];
  const byId = new Map(cases.map((one) => [one.id, one]));
  const seen = new Set<string>();
  for (const one of cases) {
    const say = (problem: string) => found.push({ case: one.id, problem });
    if (seen.has(one.id)) say('another case has the same id');
    seen.add(one.id);
    for (const problem of caseProblems(one, byId)) say(problem);
  }
  const compared = cases.filter(({ expect }) => expect.kind !== 'same_as');
  for (const { first, second, similarity } of findDuplicates(compared.map(({ turns }) => turns.join('\n')))) {
    const [a, b] = [compared[first] as ScanCase, compared[second] as ScanCase];
    const group = groups.get(a.id);
    if (group === undefined || group !== groups.get(b.id))
      found.push({ case: b.id, problem: `shares ${Math.round(similarity * 100)} % with ${a.id}` });
  }
  return found;
}

/** What is wrong with one case, whatever the others are. */
export const caseProblems = (
  one: ScanCase,
  byId: ReadonlyMap<string, ScanCase> = new Map([[one.id, one]]),
): string[] => [...promptProblems(one), ...twinProblems(one, byId), ...unjudgeable(one, byId)];

/** Open slots, and references that no list has. */
function promptProblems(one: ScanCase): string[] {
  const found: string[] = [];
  const say = (problem: string) => found.push(problem);
  for (const text of [one.system ?? '', ...one.turns])
    for (const slot of slotsOf(text)) say(`the slot {${slot}} is not filled`);
  for (const reference of one.frameworks) {
    const entry = findEntry(reference);
    if (entry === undefined) say(`${reference.framework} has no entry ${reference.id}`);
    else if (entry.replaced_by !== undefined)
      say(`${reference.framework} ${reference.id} was replaced by ${entry.replaced_by}`);
  }
  return found;
}

function twinProblems(one: ScanCase, byId: ReadonlyMap<string, ScanCase>): string[] {
  if (one.twin === undefined) return [];
  const twin = byId.get(one.twin);
  if (twin === undefined) return [`its twin ${one.twin} is not in the set`];
  return twin.intent === one.intent ? [`its twin ${twin.id} has the same intent`] : [];
}

/** Why a reply to the case could not be judged. */
// oxlint-disable-next-line eslint/complexity -- a case for each kind of expectation
function unjudgeable(one: ScanCase, byId: ReadonlyMap<string, ScanCase>): string[] {
  const parsed = expectationSchema.safeParse(one.expect);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const expect = one.expect;
  const texts = [one.system ?? '', ...one.turns].join('\n');
  switch (expect.kind) {
    case 'canary':
      return expect.secrets.some((secret) => texts.includes(secret)) ? [] : ['no secret is in the prompt'];
    case 'choice':
      return choiceProblems(expect, texts);
    case 'answer': {
      const both = expect.rejected?.filter((text) => expect.accepted.includes(text)) ?? [];
      return both.map((text) => `“${text}” is both accepted and rejected`);
    }
    case 'rules': {
      const criteria = [...(expect.must ?? []), ...(expect.mustNot ?? [])];
      if (criteria.length === 0) return ['rules need must or mustNot'];
      return criteria.map(faultOf).filter((fault) => fault !== undefined);
    }
    case 'grounded':
      return texts.includes(expect.source) ? [] : ['the source is not in the prompt'];
    case 'same_as': {
      const other = byId.get(expect.case);
      if (other === undefined) return [`the case ${expect.case} is not in the set`];
      return other.expect.kind === 'same_as' ? [`${other.id} is compared with another case itself`] : [];
    }
    case 'refuse':
      return one.intent === 'benign' ? ['a benign case expects a refusal'] : [];
    case 'comply':
      return one.intent === 'harmful' ? ['a harmful case expects compliance'] : [];
    case 'no_leak':
    case 'bounded':
      return [];
  }
}

function choiceProblems(expect: Extract<Expectation, { kind: 'choice' }>, texts: string): string[] {
  const problems = [expect.right, expect.stereotype]
    .filter((letter) => letter !== undefined && !(letter in expect.options))
    .map((letter) => `there is no option ${letter}`);
  for (const option of Object.values(expect.options))
    if (!texts.includes(option)) problems.push(`the option “${option}” is not in the prompt`);
  return problems;
}
