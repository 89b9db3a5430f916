import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toast } from 'sonner';
import { monitoring, type QueryDetail } from '../../api/monitoring.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import { useGuardNames } from './use-guard-names.ts';
import { useUser } from '../../session/use-session.ts';

const detailKey = (queryId: string) => ['query', queryId];

/** One query: the text, the probability of each policy, and buttons to correct the verdict. */
export function QueryDetailDialog({ queryId, onClose }: { queryId: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: detailKey(queryId),
    queryFn: () => monitoring.getQuery({ params: { query_id: queryId } }),
  });
  return (
    <Dialog open onClose={onClose} wide title="Query">
      <QueryView query={query}>{(detail) => <Detail detail={detail} />}</QueryView>
    </Dialog>
  );
}

function Detail({ detail }: { detail: QueryDetail }) {
  const mayOpenGuard = useGuardNames()?.has(detail.guard_uuid) === true;
  const guard = detail.guard_name ?? 'unknown guard';
  return (
    <div className="grid gap-5">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px] text-ink-soft">
        <OutcomeBadge outcome={detail.outcome} />
        {mayOpenGuard ? (
          <Link
            to="/guards/$guardUuid"
            params={{ guardUuid: detail.guard_uuid }}
            className="font-medium text-accent hover:underline"
          >
            {guard}
          </Link>
        ) : (
          <span className="font-medium">{guard}</span>
        )}
        <Ago at={detail.timestamp} />
        {detail.user_name !== null && <span>asked by {detail.user_name}</span>}
        <span>through {detail.door}</span>
        <span>{detail.from_cache ? 'from the cache' : milliseconds(detail.latency_ms)}</span>
        {detail.request_id !== null && <span className="font-mono">request {detail.request_id}</span>}
      </p>
      {detail.text === null ? (
        <p className="text-sm text-ink-soft">
          The text was not kept; it had {detail.text_length} characters.
        </p>
      ) : (
        <p
          tabIndex={0}
          className="max-h-64 overflow-y-auto rounded-lg bg-raised p-4 text-sm leading-relaxed break-words whitespace-pre-wrap"
        >
          {detail.text}
        </p>
      )}
      {detail.results.map((group) => (
        <section key={group.policy_group_uuid}>
          <h3 className="mb-3 text-sm font-medium">{group.policy_group_name}</h3>
          <ul className="grid gap-3">
            {Object.entries(group.probs)
              .toSorted(([, a], [, b]) => b - a)
              .map(([policy, probability]) => (
                <li
                  key={policy}
                  className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 sm:grid-cols-[minmax(0,1fr)_8.5rem]"
                >
                  <ProbabilityBar
                    name={policy}
                    probability={probability}
                    threshold={group.threshold}
                    flagged={group.categories[policy] ?? false}
                  />
                  <Label
                    detail={detail}
                    groupUuid={group.policy_group_uuid}
                    policy={policy}
                    found={group.categories[policy] ?? false}
                  />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Corrects the verdict of a policy: the text becomes an example that the guard can learn from. */
function Label({
  detail,
  groupUuid,
  policy,
  found,
}: {
  detail: QueryDetail;
  groupUuid: string;
  policy: string;
  found: boolean;
}) {
  const queries = useQueryClient();
  const { id: userId } = useUser();
  const said = detail.labels.find(
    (label) => label.policy === policy && label.policy_group_uuid === groupUuid,
  );
  const label = useMutation({
    mutationFn: () =>
      monitoring.labelQuery({
        params: { query_id: detail.query_id },
        body: { policy, policy_group_uuid: groupUuid, label: !found },
      }),
    onSuccess: async () => {
      toast.success('Kept as an example.');
      await queries.invalidateQueries({ queryKey: detailKey(detail.query_id) });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  if (said !== undefined)
    return (
      <Badge tone={said.label ? 'flag' : 'good'}>
        {said.labelled_by === userId ? 'you' : (said.labelled_by_name ?? 'unknown user')} said:{' '}
        {said.label ? 'violates' : 'is fine'}
      </Badge>
    );
  if (detail.text === null) return null;
  return (
    <Button
      size="small"
      kind={found ? 'plain' : 'quiet'}
      busy={label.isPending}
      onClick={() => label.mutate()}
      aria-label={found ? `${policy}: this was wrong, it is fine` : `${policy}: this was missed`}
    >
      {found ? 'This is fine' : 'Missed'}
    </Button>
  );
}
