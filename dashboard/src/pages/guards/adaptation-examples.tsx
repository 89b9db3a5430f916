import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Folded } from '../../parts/folded.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** The examples that a version was trained on; loaded on demand. */
export function AdaptationExamples(params: { guard_uuid: string; adaptation_id: string }) {
  const [open, setOpen] = useState(false);
  const detail = useQuery({
    queryKey: [...keys.adaptations(params.guard_uuid), params.adaptation_id],
    queryFn: () => policyGuard.getAdaptation({ params }),
    enabled: open,
  });
  return (
    <details className="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-[13px] text-ink-soft">What it learned from</summary>
      {open && (
        <QueryView query={detail}>
          {({ examples }) => (
            <Folded>
              <ul className="grid gap-2 pt-3 text-sm" aria-label="Examples">
                {examples.map(({ text, policy, label }) => (
                  <li key={`${policy} ${text}`} className="grid grid-cols-[auto_minmax(0,1fr)] gap-3">
                    <Badge tone={label ? 'flag' : 'good'}>{label ? 'violates' : 'is fine'}</Badge>
                    <span className="break-words">
                      {text} <span className="text-[13px] text-ink-soft">{policy}</span>
                    </span>
                  </li>
                ))}
              </ul>
            </Folded>
          )}
        </QueryView>
      )}
    </details>
  );
}
