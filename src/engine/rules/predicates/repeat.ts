import { met } from '../../actions/judging/met.ts';
import { countedKeys, repeatMet } from '../../actions/judging/repeats.ts';
import { root } from '../../actions/words.ts';
import { sayEarlier } from '../matching/earlier-call.ts';
import type { CountBefore } from '../matching/judged-call.ts';
import { choice, choices, maybe, number, phrase, say, texts } from '../wording/wording.ts';
import { actNames, plainActs } from './act-words.ts';
import type { PredicateKind } from './predicate-kind.ts';

export const countWindows = ['session', 'hour', 'day', 'week', 'month', 'year'] as const;

/** Done more often than that, this call among them. */
export interface RepeatPredicate {
  readonly is: 'repeat';
  readonly over: number;
  /** Where there are none, calls of the same tool. */
  readonly acts?: readonly string[] | undefined;
  /** For the same one of these: `customer`. */
  readonly per?: readonly string[] | undefined;
  /** Words by which a tool may say how often it was done. */
  readonly words?: readonly string[] | undefined;
  /** Over all sessions, where it is not the session. */
  readonly window: (typeof countWindows)[number];
}

const latestOf = ({ latest }: CountBefore) =>
  latest === undefined ? '' : ` The latest before it is ${sayEarlier(latest)}.`;

export const repeat: PredicateKind<RepeatPredicate> = {
  is: 'repeat',
  fields: {
    over: { type: 'number' },
    acts: { type: 'choices', of: actNames, optional: true },
    per: { type: 'texts', optional: true },
    words: { type: 'texts', optional: true },
    window: { type: 'choice', of: countWindows },
  },
  wording: phrase(
    say('comes after more than'),
    number('over'),
    say('of its kind, itself counted,'),
    maybe('acts', phrase(say('to'), choices('acts', plainActs))),
    choice('window', {
      session: 'in the session',
      ...Object.fromEntries(countWindows.slice(1).map((window) => [window, `within a ${window}`])),
    }),
    maybe('per', phrase(say('for the same'), texts('per'))),
    maybe('words', phrase(say(', or as told by a tool for'), texts('words'))),
  ),
  match({ context, countBefore }, { over, acts = [], per = [], words = [], window }) {
    // A call that does not say whom it is for counts with all others, else leaving that out would be a way around.
    const keys = countedKeys(context.call, per);
    const before =
      window === 'session' ? undefined : countBefore?.({ tool: context.call.toolName, acts, keys, window });
    if (before !== undefined)
      return met(
        before.count + 1 > over,
        1,
        `It is number ${before.count + 1} within a ${window}.${latestOf(before)}`,
      );
    return repeatMet(context, {
      test: 'repeat',
      over,
      senses: [...acts],
      per: [...per],
      words: words.map(root),
    });
  },
};
