import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { LoadingRows } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useIncidents, type Incident } from './use-incidents.ts';

/** The newest incidents of all services. */
export function Incidents() {
  const { incidents, isPending } = useIncidents();
  return (
    <Panel title="Newest incidents" note="Texts that were flagged, actions and calls that were stopped.">
      {isPending && <LoadingRows rows={4} />}
      {!isPending && incidents.length === 0 && (
        <p className="flex items-center gap-3 text-sm text-ink-soft">
          <ShieldCheck className="size-5 text-good" aria-hidden />
          Nothing was stopped in the last day. Texts are named here once their guard keeps its queries.
        </p>
      )}
      <ul className="divide-y divide-line">
        {incidents.map((incident) => (
          <li key={incident.key} className="py-3 first:pt-0 last:pb-0">
            <IncidentLink incident={incident} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const IncidentLink = ({ incident: { link, kind, title, detail, times, at } }: { incident: Incident }) => (
  <Link {...link} className="group grid gap-x-4 gap-y-1 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto]">
    <span>
      <Badge tone="flag">{kind}</Badge>
    </span>
    <span className="min-w-0 text-sm">
      <span className="flex items-center gap-2">
        <span className="truncate font-medium group-hover:underline">{title}</span>
        {times > 1 && <span className="shrink-0 text-[13px] text-ink-soft tabular-nums">× {times}</span>}
      </span>
      <span className="block truncate text-[13px] text-ink-soft">{detail}</span>
    </span>
    <span className="text-[13px] text-ink-soft">
      <Ago at={at} />
    </span>
  </Link>
);
