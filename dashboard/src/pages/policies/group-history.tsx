import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { keys, policyGuard, type PolicyGroup } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { changesBetween } from './changes.ts';

/** Each version with its changes; any of them can be restored. */
export function GroupHistory({ group }: { group: PolicyGroup }) {
  const queries = useQueryClient();
  const history = useQuery({
    queryKey: keys.history(group.group_uuid),
    queryFn: () => policyGuard.getPolicyGroupHistory({ params: { group_uuid: group.group_uuid } }),
  });
  const restore = useMutation({
    mutationFn: ({ version }: { version: number }) =>
      policyGuard.restorePolicyGroup({ params: { group_uuid: group.group_uuid, version } }),
    onSuccess: async (_, { version }) => {
      toast.success(`Version ${version} is back, as a new version.`);
      await queries.invalidateQueries({ queryKey: keys.groups });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <QueryView query={history}>
      {({ history: entries }) => (
        <ol className="grid gap-4">
          {entries.map((entry, i) => {
            const changes = changesBetween(entries[i + 1]?.snapshot, entry.snapshot);
            return (
              <li key={entry.version} className="rounded-xl border border-line bg-panel p-5 shadow-panel">
                <div className="flex flex-wrap items-center justify-between gap-3">
                  <div className="flex items-center gap-2.5 text-sm">
                    <Badge tone={i === 0 ? 'accent' : 'plain'}>v{entry.version}</Badge>
                    <span className="font-medium">{entry.summary}</span>
                    <span className="text-ink-soft">
                      {entry.changed_by !== null && `${entry.changed_by_name ?? 'unknown user'}, `}
                      <Ago at={entry.changed_at} />
                    </span>
                  </div>
                  {i > 0 && group.owner_id !== null && (
                    <Button
                      size="small"
                      busy={restore.isPending && restore.variables.version === entry.version}
                      onClick={() => restore.mutate(entry)}
                      aria-label={`Restore version ${entry.version}`}
                    >
                      Restore
                    </Button>
                  )}
                </div>
                {changes.length > 0 && (
                  <ul className="mt-3 grid gap-1 font-mono text-[13px]">
                    {changes.map(({ sign, text }) => (
                      <li
                        key={sign + text}
                        className={
                          sign === '+'
                            ? 'rounded bg-good-soft px-2 text-good'
                            : 'rounded bg-flag-soft px-2 text-flag'
                        }
                      >
                        <span aria-label={sign === '+' ? 'added' : 'removed'}>{sign}</span> {text}
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </QueryView>
  );
}
