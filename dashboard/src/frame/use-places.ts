import { useQuery } from '@tanstack/react-query';
import { session } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { areas } from './places.ts';

export const usePlatform = () =>
  useQuery({ queryKey: ['platform'], queryFn: () => session.platform(), staleTime: 60_000 });

/** The areas whose service runs, with the pages that this user may see. */
export function usePlaces() {
  const platform = usePlatform();
  const { isAdmin } = useUser();
  const running = new Set(platform.data?.services.map(({ name }) => name));
  return areas
    .filter(({ service }) => service === undefined || running.has(service))
    .map((area) => ({
      ...area,
      places: area.places.filter(({ adminOnly }) => isAdmin || adminOnly !== true),
    }));
}
