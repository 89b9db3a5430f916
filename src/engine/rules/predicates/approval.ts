import { hasApproval } from '../../actions/judging/consent.ts';
import { met } from '../../actions/judging/met.ts';
import { aside, choice, flag, maybe, oneWay, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Somebody said yes to it. */
export interface ApprovalPredicate {
  readonly is: 'approval';
  /** Roles of those who may; where there are none, anybody. */
  readonly by?: readonly string[] | undefined;
  /**
   * `checked`: by an operation of ours, under an identity that was checked. `user_words`: words of the trace are
   * believed, which whoever writes into the trace can forge.
   */
  readonly from: 'checked' | 'user_words';
  /** In answer to a proposal (`user_words`). */
  readonly explicit?: true | undefined;
  /** Somebody else than the one who asks: four eyes. */
  readonly other?: true | undefined;
}

const by = maybe('by', phrase(say('by'), texts('by')));

export const approval: PredicateKind<ApprovalPredicate> = {
  is: 'approval',
  fields: {
    by: { type: 'texts', optional: true },
    from: { type: 'choice', of: ['checked', 'user_words'] },
    explicit: { type: 'flag', optional: true },
    other: { type: 'flag', optional: true },
  },
  refuse({ from, explicit, other }) {
    if (from === 'checked' && explicit === true) return "'explicit' must stand with `user_words` only";
    return from === 'user_words' && other === true
      ? "'other' must stand with `checked` only: words of a trace do not tell who wrote them"
      : undefined;
  },
  wording: oneWay(
    [
      ({ from }) => from === 'user_words',
      phrase(
        choice('from', { user_words: 'was approved, going by the words of the trace' }),
        aside(phrase(flag('explicit', 'in answer to a proposal'), by)),
      ),
    ],
    [
      () => true,
      phrase(
        choice('from', { checked: 'was approved' }),
        by,
        flag('other', 'by another person than the one who asks'),
      ),
    ],
  ),
  match({ context, approvals = [], user }, { by = [], from, explicit = false, other }) {
    if (from === 'user_words') return met(hasApproval(context, { by, explicit }));
    const wanted = by.map((role) => role.toLowerCase());
    const given = approvals.find(
      (one) =>
        (wanted.length === 0 || one.roles.some((role) => wanted.includes(role.toLowerCase()))) &&
        (other !== true || (user !== undefined && one.by !== user.id)),
    );
    return met(given !== undefined);
  },
};
