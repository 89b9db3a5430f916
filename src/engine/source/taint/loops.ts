import type { Statement, Target } from '../form/form.ts';
import { withArchiveTaint } from './archive-entries.ts';
import { elementOf } from './elements.ts';
import type { Frame, Machine } from './frame.ts';
import { factsOfAddresses, factsOfLoop, holdsAddresses } from './loop-facts.ts';
import { type Rounds, roundsOf } from './rounds.ts';
import { applyFacts, branch, merged, type Variables } from './ways.ts';
import { pairIn } from './tables.ts';
import { type Fact, isTainted, type Value } from './value.ts';

type Loop = Extract<Statement, { is: 'loop' }>;

/** Whether a second round could find what the first did not: a variable that was there has got something. */
function carryMore(after: Variables, before: Variables): boolean {
  for (const [name, now] of after) {
    const known = before.get(name);
    if (known !== undefined && now !== known && (isTainted(now) || now.fn !== undefined)) return true;
  }
  return false;
}

/** What is taken apart into two is a name and a value, where a table is gone through. */
function elementFor(target: Target, over: Value): Value {
  const element = elementOf(over);
  return target.is === 'items' && target.items.length === 2 ? pairIn(over, element) : element;
}

/** Gives the body its element, by the name that it has there. */
function setElement(
  { target }: Loop,
  rounds: Rounds | undefined,
  over: Value,
  machine: Machine,
  frame: Frame,
): void {
  if (rounds?.counted !== undefined) frame.scope.variables.set(rounds.counted, elementOf(over));
  const of = over.of !== undefined && holdsAddresses(over) ? { of: over.of } : {};
  if (target !== undefined)
    machine.assign(target, withArchiveTaint({ ...elementFor(target, over), ...of }, frame, target), frame);
}

/** The body, once: what holds where each way through it ends. */
function round(
  loop: Loop,
  rounds: Rounds | undefined,
  over: Value | undefined,
  machine: Machine,
  frame: Frame,
): Variables | undefined {
  const check = loop.test === undefined ? undefined : machine.evaluate(loop.test, frame).check;
  const outer = frame.rounds;
  const next: Variables[] = [];
  frame.rounds = next;
  const after = branch({ machine, frame, facts: check?.yes ?? [] }, () => {
    if (over !== undefined) setElement(loop, rounds, over, machine, frame);
    return machine.execute(loop.body, frame);
  });
  if (outer === undefined) delete frame.rounds;
  else frame.rounds = outer;
  return next.reduce<Variables | undefined>(
    (all, way) => merged(new Map(way), all, frame.scope.around),
    after,
  );
}

/** Runs a loop: twice, as what the first round leaves is seen by the second. */
export function loopRuns(loop: Loop, machine: Machine, frame: Frame): boolean {
  let shown: readonly Fact[] = [];
  const rounds = roundsOf(loop, frame);
  const counted = rounds?.counted;
  for (let count = 0; count < 2; count++) {
    const written = counted === undefined ? loop.over : rounds?.over;
    const over = written === undefined ? undefined : machine.evaluate(written, frame);
    const after = round(loop, rounds, over, machine, frame);
    const before = frame.scope.variables;
    const isSame = after === undefined || !carryMore(after, before);
    const element = over === undefined ? undefined : elementOf(over);
    shown = [
      ...factsOfLoop(loop, rounds, element, after, frame),
      ...factsOfAddresses(loop, over, after, { machine, frame }),
    ];
    if (counted !== undefined) after?.delete(counted);
    frame.scope.variables = merged(after, before, frame.scope.around) ?? before;
    if (isSame) break;
  }
  applyFacts(shown, frame);
  return false;
}
