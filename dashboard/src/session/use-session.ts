import { useSyncExternalStore } from 'react';
import { session, type User } from './session.ts';

export const useSession = () => useSyncExternalStore(session.subscribe, session.state);

const nobody: User = { id: '', username: '', tenantName: '', isAdmin: false };

/** Who is signed in; below the frame somebody always is. */
export function useUser(): User {
  const state = useSession();
  return state.kind === 'signed-in' ? state.user : nobody;
}
