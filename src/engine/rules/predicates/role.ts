import { met } from '../../actions/judging/met.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Whom the agent acts for has one of these roles, as was checked at sign-in; where nobody is known, none. */
export interface RolePredicate {
  readonly is: 'role';
  readonly roles: readonly string[];
}

export const role: PredicateKind<RolePredicate> = {
  is: 'role',
  fields: { roles: { type: 'texts' } },
  wording: phrase(say('is made for a user with the role'), texts('roles')),
  match({ user }, { roles }) {
    const wanted = roles.map((name) => name.toLowerCase());
    const found = user?.roles.find((name) => wanted.includes(name.toLowerCase()));
    return met(found !== undefined, 1, `The user has the role ${found ?? ''}.`);
  },
};
