import { useQuery } from '@tanstack/react-query';
import { session } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { areas } from './places.ts';

export const usePlatform = () =>
  useQuery({ queryKey: ['platform'], queryFn: () => session.platform(), staleTime: 60_000 });

/** The areas with the pages that this user may see and whose service runs; areas without any are left out. */
export function usePlaces() {
  const platform = usePlatform();
  const { isAdmin } = useUser();
  const running = new Set(platform.data?.services.map(({ name }) => name));
  return areas
    .map((area) => ({
      ...area,
      places: area.places.filter(
        ({ service, adminOnly }) =>
          (service === undefined || running.has(service)) && (isAdmin || adminOnly !== true),
      ),
    }))
    .filter(({ places }) => places.length > 0);
}
