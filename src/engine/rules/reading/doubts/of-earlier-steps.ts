/** Signs that what has to come before the call was not understood, or is looked for where anybody may write. */
import { listOf, quoted, type Seen } from './seen.ts';

/** Who has said yes is taken from the words of the trace, which anybody may have written. */
export const unchecked = ({ all }: Seen): string | undefined => {
  const by = all.flatMap((one) => (one.is === 'approval' && one.from === 'user_words' ? (one.by ?? []) : []));
  return by.length === 0
    ? undefined
    : `Whether ${quoted(listOf(by))} agreed is looked for in the words of the trace alone.`;
};

export const unknownStep = ({ all }: Seen): string | undefined =>
  all.some((one) => one.is === 'earlier_step' && one.acts === undefined)
    ? 'What has to be done before was not understood: any step about it will do.'
    : undefined;
