import { serviceTitle } from '../../frame/service-title.ts';
import { usePlatform } from '../../frame/use-places.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** The version, and links to the API documentation. */
export function AboutPage() {
  const platform = usePlatform();
  return (
    <>
      <PageHead title="About" lead="What runs here, and where each service describes itself." />
      <QueryView query={platform}>
        {({ version, environment, authentication, services }) => (
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Panel title="This installation">
              <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
                <dt className="text-ink-soft">Version</dt>
                <dd className="font-mono">{version}</dd>
                <dt className="text-ink-soft">Environment</dt>
                <dd>{environment}</dd>
                <dt className="text-ink-soft">Authentication</dt>
                <dd>{authentication ? 'on' : 'off: everybody on this machine is an administrator'}</dd>
              </dl>
            </Panel>
            <Panel title="Interfaces">
              <ul className="grid gap-3 text-sm">
                {services.map(({ name, url }) => (
                  <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
                    <span className="font-medium">{serviceTitle(name)}</span>
                    <span className="flex gap-3">
                      <code className="font-mono text-[13px] text-ink-soft">{url}</code>
                      <a
                        className="text-accent hover:underline"
                        href={`/services/${name}/docs`}
                        target="_blank"
                        rel="noreferrer"
                      >
                        Documentation
                      </a>
                    </span>
                  </li>
                ))}
              </ul>
            </Panel>
          </div>
        )}
      </QueryView>
    </>
  );
}
