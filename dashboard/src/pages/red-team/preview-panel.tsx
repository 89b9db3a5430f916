import type { ReactNode } from 'react';
import type { Preview } from '../../api/red-team.ts';
import { Facts } from '../../parts/facts.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { domainName } from './words.ts';

const entriesOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, n]): [string, string] => [id.startsWith('RT-') ? id : domainName(id), count(n)]);

/** What the evaluation would have, counted by the service as filters change. */
export const PreviewPanel = ({ preview, children }: { preview: Preview; children: ReactNode }) => (
  <Panel className="max-xl:p-3.5">
    <div className="flex items-center justify-between gap-4 xl:grid xl:justify-stretch">
      <div role="status" aria-label="Tasks of the evaluation">
        <p className="text-lg font-semibold tracking-tight tabular-nums xl:text-3xl">
          {count(preview.total_tasks)} tasks
        </p>
        <p className="mt-0.5 text-[13px] text-ink-soft">of {count(preview.matching)} that match</p>
      </div>
      <div className="grid gap-2 max-xl:justify-items-end">{children}</div>
    </div>
    {preview.total_tasks > 0 && (
      <div className="mt-4 grid gap-4 max-xl:hidden">
        {(
          [
            ['Threat models', preview.sample.threat_models],
            ['Risk categories', preview.sample.risk_categories],
            ['Domains', preview.sample.domains],
          ] as const
        ).map(([title, counts]) => (
          <section key={title}>
            <h3 className="mb-1.5 text-[13px] font-medium">{title}</h3>
            <Facts facts={entriesOf(counts)} />
          </section>
        ))}
      </div>
    )}
  </Panel>
);
