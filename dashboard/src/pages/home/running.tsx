import { useQuery } from '@tanstack/react-query';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { serviceTitle } from '../../frame/service-title.ts';
import { usePlatform } from '../../frame/use-places.ts';
import { useRunning } from '../../frame/use-running.ts';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** The state of each service and of the language model. */
export function Running() {
  const platform = usePlatform();
  const runs = useRunning();
  return (
    <Panel title="What runs">
      <QueryView query={platform}>
        {({ services, version, environment }) => (
          <>
            <ul className="grid grid-cols-1 gap-3 text-sm">
              {services.map(({ name, url }) => (
                <li key={name} className="flex items-center justify-between gap-3">
                  <span className="min-w-0">
                    <span className="block font-medium">{serviceTitle(name)}</span>
                    <span className="block truncate font-mono text-xs text-ink-soft">{url}</span>
                  </span>
                  <Health service={name} />
                </li>
              ))}
              {runs('policy-guard') && <Model />}
            </ul>
            <p className="mt-4 border-t border-line pt-3 text-[13px] text-ink-soft">
              Bulwark {version}, {environment}
            </p>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

/** Services whose health path is not `/health`. */
const healthPaths: Partial<Record<string, string>> = { 'action-guard': 'healthz' };

function Health({ service }: { service: string }) {
  const health = useQuery({
    queryKey: ['health', service],
    queryFn: async () => (await fetch(`/services/${service}/${healthPaths[service] ?? 'health'}`)).ok,
    refetchInterval: 15_000,
    retry: false,
  });
  if (health.isPending) return <Badge>asking …</Badge>;
  return health.data === true ? <Badge tone="good">healthy</Badge> : <Badge tone="flag">not answering</Badge>;
}

function Model() {
  const { data } = useQuery({
    queryKey: keys.health,
    queryFn: () => policyGuard.getHealth(),
    refetchInterval: 15_000,
  });
  const model = data?.llm?.model;
  return (
    <li className="flex items-center justify-between gap-3">
      <span className="min-w-0">
        <span className="block font-medium">Language model</span>
        {model === undefined ? (
          <span className="block text-xs text-ink-soft">The embedded engine judges.</span>
        ) : (
          <span className="block font-mono text-xs break-words text-ink-soft">{model}</span>
        )}
      </span>
      {data?.llm === null && <Badge>not configured</Badge>}
      {data !== undefined &&
        data.llm !== null &&
        (data.llm_available ? <Badge tone="good">answers</Badge> : <Badge tone="flag">not answering</Badge>)}
    </li>
  );
}
