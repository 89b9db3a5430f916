import { met } from '../../actions/judging/met.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { flag, mark, oneWay, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Whom the agent acts for has one of these roles. */
export interface RolePredicate {
  readonly is: 'role';
  readonly roles: readonly string[];
  /**
   * Where the caller of the guard tells no roles, what the user's turns say of them counts. Without it only roles that
   * were told count: whoever writes into a trace can forge what it says.
   */
  readonly said?: true | undefined;
}

const stated =
  /\b(?:role|identity|position|job title|user type|group)\s*(?:is|:|=|of)?\s*["'`]?([\p{L}][\p{L}\d _-]{1,60})|\b(?:i am|i'm|acting as|as|user is|logged in as|signed in as)\s+(?:an?|the)\s+([\p{L}][\p{L}\d _-]{1,60})/giu;

/** "Nurses" and "Nurse", "billing clerk" and "billing_clerk". */
const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .replace(/s$/, '');

function saidRole({ steps }: EvaluationContext, wanted: readonly string[]): string | undefined {
  for (const { role, content } of steps) {
    if (role !== 'user' || content === undefined) continue;
    for (const [, named, called] of content.slice(0, 4000).matchAll(stated)) {
      const text = `${plain(named ?? called ?? '')} `;
      const found = wanted.find(
        (name) => text.startsWith(`${plain(name)} `) || text.startsWith(`${plain(name)}s `),
      );
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

export const role: PredicateKind<RolePredicate> = {
  is: 'role',
  fields: { roles: { type: 'texts' }, said: { type: 'flag', optional: true } },
  wording: oneWay(
    [
      ({ said }) => said === true,
      phrase(
        mark('said', 'is made for a user who has or, where no roles are told, claims the role'),
        texts('roles'),
      ),
    ],
    [
      () => true,
      phrase(
        say('is made for a user with the role'),
        texts('roles'),
        // As sentences of older versions say it.
        flag('said', ', or for one who says so where no roles are told'),
      ),
    ],
  ),
  match({ user, context }, { roles, said }) {
    const held = user?.roles ?? [];
    const found =
      held.length === 0 && said === true
        ? saidRole(context, roles)
        : held.find((name) => roles.some((one) => plain(one) === plain(name)));
    return met(found !== undefined, 1, `The user has the role ${found ?? ''}.`);
  },
};
