/**
 * What each rule of a set is worth and what it costs: harmless sessions that it flags and no other rule does, attacks that
 * it alone stops. Rules with one and the same form count as one, and so do all that go by one sign, which is listed apart.
 */
import type { ActionRule } from '#engine/actions/types.ts';
import { predicatesOf, type RuleForm } from '#engine/rules/rule-form.ts';

/** One session as judged: for each flagged step the rules that flag it. */
export interface Judged {
  readonly suite: string;
  readonly isAttack: boolean;
  readonly flagged: readonly (readonly string[])[];
}

interface Counts {
  sessions: number;
  alone: number;
  /** Calls of harmless sessions that only this flags. */
  callsAlone: number;
}

class Entry {
  readonly harmless = new Map<string, Counts>();
  readonly attacks = new Map<string, Counts>();

  add({ suite, isAttack }: Judged, alone: boolean, callsAlone: number): void {
    const side = isAttack ? this.attacks : this.harmless;
    const known = side.get(suite) ?? { sessions: 0, alone: 0, callsAlone: 0 };
    side.set(suite, {
      sessions: known.sessions + 1,
      alone: known.alone + Number(alone),
      callsAlone: known.callsAlone + callsAlone,
    });
  }
}

/** Rules with one and the same form flag the same calls. */
export function byForm(rules: readonly ActionRule[]): Map<string, string> {
  const first = new Map<string, string[]>();
  for (const { ruleId, form } of rules) {
    const key = JSON.stringify(form);
    first.set(key, [...(first.get(key) ?? []), ruleId]);
  }
  return new Map([...first.values()].flatMap((ids) => ids.map((id) => [id, ids.join(' = ')])));
}

/** Signs that are told of one value of the call: whichever it is, it is the same recipient or account. */
const ofRecipient = new Set(['tainted_destination', 'unnamed_destination']);

/** Rules that go by the same signs of the trace. */
export function bySign(rules: readonly ActionRule[]): Map<string, string> {
  const signOf = ({ ruleId, form }: ActionRule): string => {
    const signs = predicatesOf((form as RuleForm).when).flatMap((one) =>
      one.is === 'signal' ? one.signals : [],
    );
    if (signs.some((sign) => ofRecipient.has(sign))) return '[recipient]';
    return signs.length > 0 ? `[${[...new Set(signs)].join(' ')}]` : ruleId;
  };
  return new Map(rules.map((rule) => [rule.ruleId, signOf(rule)]));
}

function entriesOf(judged: readonly Judged[], nameOf: ReadonlyMap<string, string>): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const one of judged) {
    const steps = one.flagged.map((ids) => new Set(ids.map((id) => nameOf.get(id) ?? id)));
    const all = new Set(steps.flatMap((names) => [...names]));
    for (const name of all) {
      const entry = entries.get(name) ?? new Entry();
      entries.set(name, entry);
      entry.add(one, all.size === 1, steps.filter((names) => names.size === 1 && names.has(name)).length);
    }
  }
  return entries;
}

const total = (side: ReadonlyMap<string, Counts>, of: keyof Counts) =>
  side.values().reduce((sum, counts) => sum + counts[of], 0);

const bySuite = (side: ReadonlyMap<string, Counts>) =>
  [...side].map(([suite, { sessions, alone }]) => `${suite} ${alone} of ${sessions}`).join('; ');

/** The ledger as lines: dearest first, by how many harmless sessions it flags alone. */
export function ledger(judged: readonly Judged[], nameOf: ReadonlyMap<string, string>): string[] {
  return [...entriesOf(judged, nameOf)]
    .toSorted(
      ([, a], [, b]) =>
        total(b.harmless, 'alone') - total(a.harmless, 'alone') ||
        total(b.attacks, 'alone') - total(a.attacks, 'alone'),
    )
    .flatMap(([name, { harmless, attacks }]) => [
      `${name}: harmless tasks ${total(harmless, 'alone')} alone of ${total(harmless, 'sessions')}, ` +
        `calls alone ${total(harmless, 'callsAlone')}; attacks ${total(attacks, 'alone')} alone of ${total(attacks, 'sessions')}`,
      ...(harmless.size > 0 ? [`    harmless, alone of all: ${bySuite(harmless)}`] : []),
      ...(attacks.size > 0 ? [`    attacks, alone of all: ${bySuite(attacks)}`] : []),
    ]);
}
