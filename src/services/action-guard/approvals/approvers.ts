import type { Caller } from '#identity/caller.ts';

/** Role → names of the users of the tenant who have it where a set judges. */
export type UserRoles = Readonly<Record<string, readonly string[]>>;

/** What of a policy set says who may approve. */
export interface Approvers {
  /** Null for the built-in set. */
  readonly ownerId: string | null;
  readonly userRoles: UserRoles;
}

/** The roles that a set gives to a user. */
export const rolesGiven = (userRoles: UserRoles, username: string): string[] =>
  Object.entries(userRoles).flatMap(([role, names]) =>
    names.some((name) => name.toLowerCase() === username.toLowerCase()) ? [role] : [],
  );

/** All roles of a user of ours: those of the account, and those that the set gives. */
export const rolesIn = (
  { userRoles }: Pick<Approvers, 'userRoles'>,
  { roles, username }: Pick<Caller, 'roles' | 'username'>,
): string[] => [...new Set([...roles, ...rolesGiven(userRoles, username)])];
