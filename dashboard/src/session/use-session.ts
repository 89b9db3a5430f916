import { useSyncExternalStore } from 'react';
import { session, type User } from './session.ts';

export const useSession = () => useSyncExternalStore(session.subscribe, session.state);

const nobody: User = { id: '', username: '', tenantName: '', isAdmin: false };

/** Whether the user may change a resource of this owner: it is theirs, or they administer the tenant. */
export function useMayChange(ownerId: string | null): boolean {
  const { id, isAdmin } = useUser();
  // Built-in objects have no owner and cannot be changed.
  return ownerId !== null && (isAdmin || ownerId === id);
}

/** The user who is signed in. Pages are only shown to a user who is. */
export function useUser(): User {
  const state = useSession();
  return state.kind === 'signed-in' ? state.user : nobody;
}
