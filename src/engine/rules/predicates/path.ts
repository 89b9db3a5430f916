import type { UsedFile } from '../../actions/calls/shell-files.ts';
import { usedFilesOf } from '../../actions/calls/used-files.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { isUnder, testCondition } from '../../actions/judging/match.ts';
import { normalPath } from '../../actions/judging/normal-path.ts';
import { met } from '../../actions/judging/met.ts';
import { choice, oneWay, phrase, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Files that the call touches. */
export interface PathPredicate {
  readonly is: 'path';
  readonly where: 'under' | 'outside';
  readonly prefixes: readonly string[];
  /** Only files that it reads, or only those that it writes, moves or removes, count; without it any that it names. */
  readonly effect?: 'read' | 'write' | undefined;
}

const isRelative = (prefix: string) => !/^(?:[~/\\]|[a-z]:[\\/])/i.test(prefix);

function usedMet({ call }: EvaluationContext, { where, prefixes, effect }: PathPredicate) {
  const used = usedFilesOf(call);
  const isMeant = ({ path, isPlaced }: UsedFile) => {
    const isBelow = isUnder(normalPath(path), prefixes);
    return where === 'under' ? isBelow : !isBelow && (isPlaced || prefixes.every(isRelative));
  };
  const found = (effect === 'read' ? used.read : used.changed).find(isMeant);
  const shown = (found?.path ?? '').slice(0, 120);
  const place = where === 'under' ? 'below' : 'outside of';
  return met(
    found !== undefined,
    1,
    `It ${effect === 'read' ? 'reads' : 'writes'} "${shown}", which is ${place} ${prefixes.join(', ')}.`,
  );
}

export const path: PredicateKind<PathPredicate> = {
  is: 'path',
  fields: {
    where: { type: 'choice', of: ['under', 'outside'] },
    prefixes: { type: 'texts' },
    effect: { type: 'choice', of: ['read', 'write'], optional: true },
  },
  wording: oneWay(
    [
      ({ effect }) => effect === undefined,
      phrase(
        choice('where', { under: 'touches a path below', outside: 'touches a path outside of' }),
        texts('prefixes'),
      ),
    ],
    [
      () => true,
      phrase(
        choice('effect', { read: 'reads', write: 'writes' }),
        choice('where', { under: 'a path below', outside: 'a path outside of' }),
        texts('prefixes'),
      ),
    ],
  ),
  match: ({ context }, one) =>
    one.effect === undefined
      ? testCondition(context, { test: 'path', where: one.where, prefixes: [...one.prefixes] })
      : usedMet(context, one),
};
