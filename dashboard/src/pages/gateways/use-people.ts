import { useQuery } from '@tanstack/react-query';
import { identity } from '../../api/identity.ts';
import { useUser } from '../../session/use-session.ts';

interface Person {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
}

/** The users of the tenant for administrators, otherwise only the current user. */
export function usePeople(): readonly Person[] {
  const { id, username, isAdmin } = useUser();
  const users = useQuery({
    queryKey: ['users'],
    queryFn: () => identity.listUsers({ query: { limit: 1000 } }),
    enabled: isAdmin && id !== '',
  });
  return users.data?.users ?? [{ id, username, roles: isAdmin ? ['admin'] : ['member'] }];
}
