import type { Governance } from '../../api/monitoring.ts';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';

/** The policies with most findings, as bars. */
export function TopPolicies({ policies, note }: { policies: Governance['top_policies']; note?: string }) {
  const most = Math.max(1, ...policies.map(({ flagged, observed }) => flagged + observed));
  return (
    <Panel title="Policies that found most" note={note}>
      {policies.length === 0 && <p className="text-sm text-ink-soft">None found anything in this window.</p>}
      <ul className="grid grid-cols-1 gap-3">
        {policies.map(({ policy, policy_group_uuid: groupUuid, flagged, observed }) => (
          <li key={`${groupUuid} ${policy}`}>
            <div className="mb-1 flex justify-between gap-3 text-sm">
              <span className="min-w-0 break-words">{policy}</span>
              <span className="text-ink-soft tabular-nums">{count(flagged + observed)}</span>
            </div>
            <div className="h-2 rounded-full bg-raised" aria-hidden>
              <div
                className="h-full rounded-full bg-(--series-2)"
                style={{ width: `${((flagged + observed) / most) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
