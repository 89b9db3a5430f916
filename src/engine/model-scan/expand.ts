/** From a set file to its cases. Equal files give equal cases in equal order: nothing is drawn by chance. */

import { createHash } from 'node:crypto';
import type { Expectation } from '../replies/expectation.ts';
import type { Intent, ScanCase } from './case.ts';
import { choiceCases } from './choices.ts';
import type { Base, Draft } from './draft.ts';
import { asExpectation } from './expectation-schema.ts';
import { perturbedCases } from './perturb.ts';
import type { Seed, SetFile, Subcategory } from './set-file.ts';
import { fill, ranked, type Used } from './slots.ts';

export interface Expanded {
  cases: ScanCase[];
  /** By case id: cases of one group are alike on purpose, such as twins. */
  groups: Map<string, string>;
  /** Slot values that no case used, as `slot: value`. */
  unused: string[];
}

/** All cases of a set. `slug` begins their ids. */
export function expandSet(file: SetFile, slug: string): Expanded {
  const used: Used = new Set();
  const drafts = file.subcategories.flatMap((sub) => [
    ...familyDrafts(file, sub, used),
    ...(sub.seeds ?? []).flatMap((seed) => seedDrafts(file, sub, seed)),
    ...choiceCases(sub, base(file, sub)),
  ]);
  drafts.push(...perturbedCases(file, (sub) => base(file, sub)));

  const ids = new Map(drafts.map((draft) => [draft, idOf(slug, draft)]));
  const id = (draft: Draft) => ids.get(draft) as string;
  const cases = drafts.map((draft): ScanCase => {
    const { group: _, opposite, expect, system, ...rest } = draft;
    return {
      id: id(draft),
      dataset: file.name,
      ...rest,
      ...(system !== undefined && { system }),
      expect:
        'draft' in expect ? { kind: 'same_as', case: id(expect.draft), compare: expect.compare } : expect,
      ...(opposite && { twin: id(opposite) }),
    };
  });
  const unused = Object.entries(file.slots).flatMap(([slot, values]) =>
    values.map((value) => `${slot}: ${value}`).filter((name) => !used.has(name)),
  );
  return { cases, groups: new Map(drafts.map((draft) => [id(draft), draft.group])), unused };
}

/** What all cases of a subcategory have in common. */
const base = (file: SetFile, sub: Subcategory): Base => ({
  subcategory: sub.id,
  severity: sub.severity ?? file.severity,
  topic: sub.topic ?? file.topic,
  language: 'en',
  system: sub.system === undefined ? undefined : getSystem(file, sub.system),
  frameworks: (sub.frameworks ?? file.frameworks).map((reference) => {
    const space = reference.indexOf(' ');
    return { framework: reference.slice(0, space), id: reference.slice(space + 1) };
  }),
});

function familyDrafts(file: SetFile, sub: Subcategory, used: Used): Draft[] {
  const frames = sub.frames ?? file.frames;
  const perGoal = sub.frames_per_goal ?? file.frames_per_goal;
  return (sub.families ?? []).flatMap(({ harm, twin, lang }) => {
    if (lang === undefined && frames.length === 0)
      throw new RangeError(`${file.name}, ${sub.id}: families need frames`);
    const chosen = lang === undefined ? ranked(frames, harm).slice(0, perGoal) : ['{goal}'];
    const common = { ...base(file, sub), language: lang ?? 'en', group: `${sub.id} ${harm}` };
    const inFrame = (frame: string, goal: string) => {
      const values: Record<string, string> = { goal };
      // The same values for a goal and its twin: they must differ in nothing but the purpose.
      for (const [slot, all] of Object.entries(file.slots))
        if (frame.includes(`{${slot}}`)) {
          values[slot] = ranked(all, `${harm} ${frame} ${slot}`)[0] as string;
          used.add(`${slot}: ${values[slot]}`);
        }
      return [fill(frame, values)];
    };
    const benign: Draft = {
      ...common,
      severity: 'low',
      turns: inFrame(chosen[0] as string, twin),
      intent: 'benign',
      expect: { kind: 'comply' },
    };
    const harmful = chosen.map((frame): Draft => ({
      ...common,
      turns: inFrame(frame, harm),
      intent: 'harmful',
      expect: { kind: 'refuse' },
      opposite: benign,
    }));
    benign.opposite = harmful[0];
    return [...harmful, benign];
  });
}

function seedDrafts(file: SetFile, sub: Subcategory, seed: Seed): Draft[] {
  const rows = seed.each === undefined ? [{}] : file.rows[seed.each];
  if (rows === undefined) throw new RangeError(`${file.name}, ${sub.id}: there are no rows ${seed.each}`);
  const expect = seed.expect ?? sub.expect;
  if (expect === undefined) throw new RangeError(`${file.name}, ${sub.id}: “${seed.ask}” has no expectation`);
  return rows
    .map((row, index) => {
      const values = row as Record<string, string>;
      const common = {
        ...base(file, sub),
        language: seed.lang ?? 'en',
        severity: seed.severity ?? sub.severity ?? file.severity,
        group: `${sub.id} ${seed.ask ?? seed.turns?.join(' ')} ${index}`,
      };
      const make = (
        part: { ask?: string | undefined; turns?: string[] | undefined; system?: string | undefined },
        expected: unknown,
        intent: Intent | undefined,
      ): Draft => {
        const filled = asExpectation(fillAll(expected, values));
        const system = part.system ?? seed.system ?? sub.system;
        return {
          ...common,
          system: system === undefined ? undefined : fill(getSystem(file, system), values),
          turns: turnsOf(part, `${file.name}, ${sub.id}`).map((turn) => fill(turn, values)),
          intent: intent ?? intentOf(filled),
          expect: filled,
        };
      };
      const draft = make(seed, expect, seed.intent ?? (seed.expect === undefined ? sub.intent : undefined));
      if (seed.twin === undefined) return [draft];
      const twin = make(seed.twin, seed.twin.expect ?? { kind: 'comply' }, undefined);
      if (twin.intent === 'benign') twin.severity = 'low';
      twin.opposite = draft;
      draft.opposite = twin;
      return [draft, twin];
    })
    .flat();
}

function turnsOf(part: { ask?: string | undefined; turns?: string[] | undefined }, where: string): string[] {
  if (part.turns) return part.turns;
  if (part.ask === undefined) throw new RangeError(`${where}: a seed needs ask or turns`);
  return [part.ask];
}

function intentOf(expect: Expectation): Intent {
  if (expect.kind === 'refuse') return 'harmful';
  return expect.kind === 'comply' ? 'benign' : 'probe';
}

function getSystem(file: SetFile, key: string): string {
  const system = file.systems[key];
  if (system === undefined) throw new RangeError(`${file.name}: there is no system prompt ${key}`);
  return system;
}

/** Fills the slots of every text in an expectation. */
function fillAll(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === 'string') return fill(value, values, 'keep');
  if (Array.isArray(value)) return value.map((item) => fillAll(item, values));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, values)]));
  return value;
}

/** Eleven hexadecimal digits of what is sent: over 10,000 cases, two collide once in 350,000 releases. */
function idOf(slug: string, { subcategory, system, turns }: Draft): string {
  const digest = createHash('sha256').update(JSON.stringify([subcategory, system ?? null, turns]));
  return `${slug}-${subcategory}-${digest.digest('hex').slice(0, 11)}`;
}
