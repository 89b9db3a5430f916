/** Signs that what has to come before the call was not understood, or is looked for where anybody may write. */
import { listOf, quoted, type Seen } from './seen.ts';

/** Who has said yes is taken from the words of the trace, which anybody may have written, or by the name of a role. */
export function unchecked({ all }: Seen): string | undefined {
  const of = (from: 'checked' | 'user_words') =>
    all.flatMap((one) => (one.is === 'approval' && one.from === from ? (one.by ?? []) : []));
  const [said, roles] = [of('user_words'), of('checked')];
  if (said.length > 0)
    return `Whether ${quoted(listOf(said))} agreed is looked for in the words of the trace alone.`;
  return roles.length === 0
    ? undefined
    : `Only who has the role ${quoted(listOf(roles))} may approve: the page of the policy set says who has it.`;
}

export const unknownStep = ({ all }: Seen): string | undefined =>
  all.some((one) => one.is === 'earlier_step' && one.acts === undefined)
    ? 'What has to be done before was not understood: any step about it will do.'
    : undefined;
