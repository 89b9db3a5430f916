import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { GraduationCap, Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { monitoring } from '../../api/monitoring.ts';
import { keys, policyGuard, type Adaptation, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { AddableList } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { AdaptationExamples } from './adaptation-examples.tsx';
import { AdaptationFigures } from './adaptation-figures.tsx';
import { Teach } from './teach.tsx';

/** The versions that a guard has learned from labelled texts, their improvement, and switching between them. */
export function Adaptations({ guard }: { guard: Guard }) {
  const [teaching, setTeaching] = useState(false);
  const params = { guard_uuid: guard.guard_uuid };
  const adaptations = useQuery({
    queryKey: keys.adaptations(guard.guard_uuid),
    queryFn: () => policyGuard.listAdaptations({ params }),
  });
  const labels = useQuery({
    queryKey: keys.labels(guard.guard_uuid),
    queryFn: () => monitoring.listLabels({ params }),
  });
  const teach = (
    <Button kind="primary" onClick={() => setTeaching(true)}>
      <Plus className="size-4" aria-hidden /> Teach by examples
    </Button>
  );
  const labelled = labels.data?.total ?? 0;
  return (
    <>
      {labelled > 0 && (
        <p className="mb-4 text-sm text-ink-soft">
          People labelled {labelled} {labelled === 1 ? 'text' : 'texts'} of its queries; the next version can
          learn from them.
        </p>
      )}
      <QueryView query={adaptations}>
        {({ adaptations: all }) =>
          all.length === 0 ? (
            <Empty icon={GraduationCap} title="It has learned nothing of its own yet" action={teach}>
              Ten labelled texts or more of one policy correct what it finds. Other guards on the same groups
              stay as they are.
            </Empty>
          ) : (
            <AddableList
              note="Versions of what it has learned, the newest first. Other guards on the same groups stay as they are."
              action={teach}
            >
              <ol className="grid min-w-0 gap-4">
                {all.map((adaptation) => (
                  <Version key={adaptation.adaptation_id} guard={guard} adaptation={adaptation} />
                ))}
              </ol>
            </AddableList>
          )
        }
      </QueryView>
      {teaching && <Teach guard={guard} labelled={labelled} onClose={() => setTeaching(false)} />}
    </>
  );
}

function Version({ guard, adaptation }: { guard: Guard; adaptation: Adaptation }) {
  const queries = useQueryClient();
  const params = { guard_uuid: guard.guard_uuid, adaptation_id: adaptation.adaptation_id };
  const { version, active } = adaptation;
  const turn = useMutation({
    mutationFn: async () => {
      if (active) await policyGuard.deactivateAdaptation({ params });
      else await policyGuard.activateAdaptation({ params });
    },
    onSuccess: async () => {
      toast.success(active ? 'It judges without what it learned.' : `It judges by version ${version}.`);
      await queries.invalidateQueries({ queryKey: keys.guards });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <li className="min-w-0 rounded-xl border border-line bg-panel p-5 shadow-panel">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex items-center gap-2.5 text-sm font-medium">
          <Badge tone={active ? 'accent' : 'plain'}>v{version}</Badge>
          {active ? 'Judged by now' : 'Kept'}
          <span className="font-normal text-ink-soft">
            <Ago at={adaptation.created_at} />
          </span>
        </h2>
        <span className="flex gap-1">
          <Button
            size="small"
            busy={turn.isPending}
            onClick={() => turn.mutate()}
            aria-label={active ? `Stop using version ${version}` : `Use version ${version}`}
          >
            {active ? 'Stop using it' : 'Use it'}
          </Button>
          {!active && (
            <DeleteRowButton
              noun="version"
              name={`version ${version}`}
              run={() => policyGuard.deleteAdaptation({ params })}
              changes={keys.adaptations(guard.guard_uuid)}
            >
              Its examples go with it.
            </DeleteRowButton>
          )}
        </span>
      </div>
      <AdaptationFigures policies={adaptation.policies} />
      <AdaptationExamples {...params} />
    </li>
  );
}
