import { useSyncExternalStore } from 'react';
import { session, type User } from './session.ts';

export const useSession = () => useSyncExternalStore(session.subscribe, session.state);

const nobody: User = { id: '', username: '', tenantName: '', isAdmin: false };

/** Whether the user may change a resource of this owner: as its owner, or as an administrator of the tenant. */
export function useMayChange(ownerId: string | null): boolean {
  const { id, isAdmin } = useUser();
  // Built-in objects have no owner and cannot be changed.
  return ownerId !== null && (isAdmin || ownerId === id);
}

/** The signed-in user. Pages are only rendered when there is one. */
export function useUser(): User {
  const state = useSession();
  return state.kind === 'signed-in' ? state.user : nobody;
}
