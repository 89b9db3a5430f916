import { usePlatform } from './use-places.ts';

/** Whether a service runs here. Its data is not requested before that is known. */
export function useRunning(): (service: 'policy-guard' | 'action-guard' | 'agent-gateway') => boolean {
  const platform = usePlatform();
  const running = new Set(platform.data?.services.map(({ name }) => name));
  return (service) => running.has(service);
}
