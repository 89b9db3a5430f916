/** One cause is one violation: an injected call breaks a dozen rules, which are one thing to look at. Pure. */
import { predicatesOf } from '#engine/rules/rule-form.ts';
import type { RuleFinding } from '#engine/actions/types.ts';
import type { LiveRule } from '../sets/live-sets.ts';

/** A broken rule, with what becomes of the call for it. */
export interface Broken extends LiveRule {
  readonly finding: RuleFinding;
  readonly action: 'deny' | 'ask' | 'allow';
}

export interface Violation extends Broken {
  /** Other rules that the same thing in the trace breaks: one cause is one violation. */
  readonly also: readonly Broken[];
}

/** What shows when a call does as a tool output says: rules that go by it tell of the injection once more. */
const ofInjection: ReadonlySet<string> = new Set([
  'follows_embedded_instruction',
  'hidden_text',
  'off_task',
  'tainted_destination',
  'unnamed_destination',
]);

const signalsOf = ({ rule }: Broken): string[] =>
  rule.form === undefined
    ? []
    : predicatesOf(rule.form.when).flatMap((one) => (one.is === 'signal' ? one.signals : []));

const isInjection = (each: Broken) => signalsOf(each).includes('follows_embedded_instruction');

/** Signs about one value of the call, or one text: whichever is told of it, it is the same recipient, account or text. */
const ofValue: ReadonlySet<string> = new Set([
  'may_be_led',
  'off_task',
  'tainted_destination',
  'unnamed_destination',
]);
const quotedValue = /"([^"]+)"/;

/** Rules that differ in nothing but limits and verbs of their sentences test for the same thing. */
const testedBy = (when: unknown): string =>
  JSON.stringify(when, (name, value: unknown) => {
    const isLimit = typeof value === 'number' || (name === 'value' && typeof value === 'string');
    return isLimit || name === 'verbs' ? undefined : value;
  });

/**
 * What in the trace breaks the rule. Rules that go by signs give the sign as their reason: the same sign is the same cause.
 * Others have a cause in common where they test for the same and find the same.
 */
function causeOf(each: Broken, injected: Broken | undefined): string | undefined {
  const { action, finding, rule } = each;
  const signals = signalsOf(each);
  if (signals.length === 0)
    return rule.form === undefined ? undefined : `${action} ${finding.reason} ${testedBy(rule.form.when)}`;
  if (injected !== undefined && signals.some((name) => ofInjection.has(name))) return `${action} injection`;
  const value = signals.some((name) => ofValue.has(name)) ? quotedValue.exec(finding.reason)?.[1] : undefined;
  return `${action} ${value ?? finding.reason}`;
}

/** The first of each cause, with the others beside it. @param all gravest first */
export function onePerCause(all: readonly Broken[]): Violation[] {
  const injected = all.find(isInjection);
  const first = new Map<string, { also: Broken[] }>();
  const kept: Violation[] = [];
  // The injection itself stands for its consequences.
  for (const each of injected === undefined ? all : [injected, ...all.filter((one) => one !== injected)]) {
    const cause = causeOf(each, injected);
    const known = cause === undefined ? undefined : first.get(cause);
    if (known !== undefined) {
      known.also.push(each);
      continue;
    }
    const one = { ...each, also: [] as Broken[] };
    if (cause !== undefined) first.set(cause, one);
    kept.push(one);
  }
  return kept;
}
