import type { Leaf } from '../../actions/calls/leaves.ts';
import { knownOfThing } from '../../actions/judging/records.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { matchesGlob } from './glob.ts';

/**
 * Values at a path: `amount` is any argument of that name however deep, `customer.id` one that ends so, and `*` stands
 * for any characters; numbers of list items may be left out (`items.price` finds `items.0.price`).
 */
export function leavesAt(leaves: readonly Leaf[], path: string): Leaf[] {
  const wanted = path.toLowerCase();
  return leaves.filter(({ path: own }) => {
    const full = own.toLowerCase();
    const plain = full.replaceAll(/\.\d+(?=\.|$)/g, '');
    return [full, plain].some(
      (one) =>
        one === wanted || one.endsWith(`.${wanted}`) || (wanted.includes('*') && matchesGlob(wanted, one)),
    );
  });
}

/** Values under one of the names in the latest earlier answer about the thing of the call that has any. */
export function latestAt(
  context: Pick<EvaluationContext, 'call' | 'earlier'>,
  names: readonly string[],
): Leaf[] | undefined {
  for (const leaves of knownOfThing(context)) {
    const found = names.flatMap((name) => leavesAt(leaves, name));
    if (found.length > 0) return found;
  }
  return undefined;
}
