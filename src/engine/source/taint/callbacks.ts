/** Functions that are given to a library, which calls them. */
import type { Target } from '../form/form.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import { allTaints, clean, type FunctionValue, isTainted, join, type Value } from './value.ts';

const archiveReader =
  /(?:^|\.)(?:unzipper|yauzl|tar-stream|node-stream-zip|jszip)\b.*\.(?:on|once|forEach|filter)$/;

const isOfError = (target: Target | undefined): boolean =>
  target?.is === 'name' && /^(?:_+|e|er|err|error|_e(?:rr(?:or)?)?)$/.test(target.name);

/** `pool.getConnection((err, connection) => …)`: what comes behind the error is what the call would give. */
const givesBehindError = ({ name }: Called, { fn }: FunctionValue): boolean =>
  !name.startsWith('?') && fn.parameters.length > 1 && isOfError(fn.parameters[0]?.target);

const secondFor = (called: Called, fn: FunctionValue, second: Given): Given =>
  givesBehindError(called, fn) ? { ...second, value: { ...second.value, ref: `${called.name}()` } } : second;

/** Functions that are given to something unknown are run with what else is known there. */
export function runCallbacks(called: Called, args: readonly Given[], machine: Machine, frame: Frame): void {
  if (args.every(({ value }) => value.fn === undefined)) return;
  const others = args
    .filter(({ value }) => value.fn === undefined)
    .map(({ value }) => ({ taints: allTaints(value) }));
  const given = others.reduce<Value>((a, b) => join(a, b), {
    taints: called.object === undefined ? [] : allTaints(called.object),
    // Readers of archives give their entries to a function.
    ...(archiveReader.test(called.name) ? { ref: `${called.name}().entry` } : {}),
  });
  for (const { value, expression } of args) {
    if (value.fn === undefined) continue;
    if (frame.fn === undefined) machine.deferred.push(value.fn);
    const each: Given = { value: given, expression, isSpread: false };
    // Any of several is meant only where something is found by it: `to_thread(handlers[name], arguments)`.
    const others = isTainted(given) ? (value.others ?? []) : [];
    for (const fn of [value.fn, ...others]) {
      // What Go hands on through all calls is no input.
      const of = (at: number): Given =>
        fn.fn.parameters[at]?.type === 'context.Context' ? { ...each, value: clean } : each;
      machine.call(fn, [of(0), secondFor(called, fn, of(1))], frame, expression);
    }
  }
}
