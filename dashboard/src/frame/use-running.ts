import { usePlatform } from './use-places.ts';

type Service =
  | 'policy-guard'
  | 'action-guard'
  | 'agent-gateway'
  | 'shadow-ai'
  | 'mcp-scan'
  | 'model-scan'
  | 'red-team';

/** Whether a service runs here. Its data is not requested before that is known. */
export function useRunning(): (service: Service) => boolean {
  const platform = usePlatform();
  const running = new Set(platform.data?.services.map(({ name }) => name));
  return (service) => running.has(service);
}
