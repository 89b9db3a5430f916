/** What rules count and add up over all sessions, and for whom a call is counted. */
import { readCall } from '../../actions/calls/call.ts';
import { countedKeys } from '../../actions/judging/repeats.ts';
import type { TraceStep } from '../../actions/types.ts';
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';
import { addedBy } from '../predicates/sum.ts';
import type { Added } from './added.ts';
import type { CountQuery } from './judged-call.ts';

/** Calls of the same kind, counted for each of the same. */
export interface Counter {
  /** The same for the same calls, in whichever rule. */
  readonly id: string;
  /** Where there are none, calls of the same tool. */
  readonly acts: readonly string[];
  readonly per: readonly string[];
  readonly window: CountQuery['window'];
  /** Of one that adds up what the calls are about, beside counting them. */
  readonly added?: Added | undefined;
}

/** The counters of rules, each once. */
export function countersOf(forms: readonly RuleForm[]): Counter[] {
  const found = new Map<string, Counter>();
  for (const one of forms.flatMap(partsOf).flatMap(predicatesOf)) {
    if ((one.is !== 'repeat' && one.is !== 'sum') || one.window === 'session') continue;
    const { acts = [], per = [], window } = one;
    const added = one.is === 'sum' ? addedBy(one) : undefined;
    const of = added === undefined ? [] : [added];
    const id = JSON.stringify([acts.toSorted(), per.toSorted(), ...of]);
    found.set(`${window} ${id}`, { id, acts, per, window, added });
  }
  return [...found.values()];
}

/** For whom the call is counted: no key where it does not say it; undefined where it is not of the counter's kind. */
export function keysIn(step: TraceStep, { acts, per }: Counter): readonly string[] | undefined {
  const call = readCall(step);
  if (call.toolName === '' || (acts.length > 0 && !acts.some((act) => call.senses.has(act))))
    return undefined;
  return per.length === 0 ? [] : countedKeys(call, per);
}

/** The id under which the calls of one counter are kept: those without acts are counted for each tool. */
export const kindOfCall = ({ toolName }: TraceStep, { id, acts }: Counter): string =>
  acts.length > 0 ? id : `${id} ${toolName ?? ''}`;
