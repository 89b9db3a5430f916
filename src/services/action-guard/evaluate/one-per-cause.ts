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
  'may_be_led',
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
/** What one command does to data: that it wipes a disk is no second thing beside that it destroys. */
const ofDestroying: ReadonlySet<string> = new Set(['destructive_command', 'wipes_disk', 'destroys_service']);
const quotedValue = /"([^"]+)"/;
/** Shorter ones stand in many texts by chance. */
const tellingLength = 6;

/** A rule is broken, and no more is said: that is in common to rules about different things. */
const saysNothing = (reason: string) => reason.endsWith('does what the rule forbids.');

const quotedIn = ({ finding }: Broken): string | undefined => quotedValue.exec(finding.reason)?.[1];

/** Speaks of a value or a text that the call has from the injection. */
function isOfSame(each: Broken, injected: Broken): boolean {
  const quoted = quotedIn(each) ?? '';
  return quoted.length >= tellingLength && injected.finding.reason.includes(quoted);
}

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
  const isConsequence =
    injected !== undefined && (signals.some((name) => ofInjection.has(name)) || isOfSame(each, injected));
  if (isConsequence) return `${action} injection`;
  if (signals.length === 0) {
    if (rule.form === undefined) return undefined;
    return `${action} ${finding.reason} ${saysNothing(finding.reason) ? testedBy(rule.form.when) : ''}`;
  }
  if (signals.some((name) => ofDestroying.has(name))) return `${action} destroys`;
  const value = signals.some((name) => ofValue.has(name)) ? quotedIn(each) : undefined;
  return `${action} ${value ?? finding.reason} `;
}

/** Words that tell something, and not those of every rule. */
const wordsOf = (text: string) =>
  new Set((text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !common.has(word)));
const common = new Set(
  'never not the and unless user asked from that data command does tool call bash for with'.split(' '),
);

/** How many words of the rule's own text the call or the reason has: the nearest rule says best what was done. */
function nearness({ rule, finding }: Broken, said: ReadonlySet<string>): number {
  const known = new Set([...said, ...wordsOf(finding.reason)]);
  return [...wordsOf(`${rule.key.replaceAll('_', ' ')} ${rule.description}`)].filter((word) =>
    known.has(word),
  ).length;
}

const isGraver = (a: Broken, b: Broken) => ranks.indexOf(a.rule.severity) > ranks.indexOf(b.rule.severity);
const ranks = ['Low', 'Medium', 'High'];

/** The rule that leads: none that is less grave, and of the gravest the nearest to what the call does. */
function led({ also, ...first }: Violation, said: ReadonlySet<string>): Violation {
  if (also.length === 0 || isInjection(first)) return { ...first, also };
  const all: readonly Broken[] = [first, ...also];
  const best = all
    .filter((one) => !isGraver(first, one))
    .reduce((most, one) => (nearness(one, said) > nearness(most, said) ? one : most));
  return { ...best, also: all.filter((one) => one !== best) };
}

/**
 * The nearest of each cause, with the others beside it.
 * @param all gravest first
 * @param action the call in one line
 */
export function onePerCause(all: readonly Broken[], action = ''): Violation[] {
  if (all.length === 0) return [];
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
  const said = wordsOf(action);
  return kept.map((one) => led(one, said));
}
