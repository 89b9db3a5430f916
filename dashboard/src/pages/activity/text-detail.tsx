import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toast } from 'sonner';
import { monitoring, textKey, type QueryDetail } from '../../api/monitoring.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Folded } from '../../parts/folded.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { messageOf } from '../../parts/states.tsx';
import { useUser } from '../../session/use-session.ts';

/** The text as it was judged, the probability of each policy, and buttons to correct the verdict. */
export function TextDetail({ detail }: { detail: QueryDetail }) {
  return (
    <div className="grid gap-5">
      {detail.text === null ? (
        <p className="text-sm text-ink-soft">
          The text was not kept; it had {detail.text_length} characters.
        </p>
      ) : (
        <Folded heightPx={256}>
          <p className="rounded-lg bg-raised p-4 text-sm leading-relaxed break-words whitespace-pre-wrap">
            {detail.text}
          </p>
        </Folded>
      )}
      {detail.results.map((group) => (
        <Group key={group.policy_group_uuid} detail={detail} group={group} />
      ))}
    </div>
  );
}

type GroupResult = QueryDetail['results'][number];

/** The policies that the text violates; the others are folded. */
function Group({ detail, group }: { detail: QueryDetail; group: GroupResult }) {
  const policies = Object.entries(group.probs).toSorted(([, a], [, b]) => b - a);
  const found = policies.filter(([policy]) => group.categories[policy] === true);
  const others = policies.filter(([policy]) => group.categories[policy] !== true);
  return (
    <section>
      <h2 className="mb-3 text-sm font-medium">
        <Link
          to="/policies/$groupUuid"
          params={{ groupUuid: group.policy_group_uuid }}
          className="hover:underline"
        >
          {group.policy_group_name}
        </Link>
      </h2>
      {group.reasoning !== null && <p className="mb-3 text-sm break-words">{group.reasoning}</p>}
      {found.length > 0 && <Bars detail={detail} group={group} policies={found} />}
      {others.length > 0 && (
        <details className={found.length > 0 ? 'mt-3' : ''} open={found.length === 0 && others.length <= 3}>
          <summary className="cursor-pointer text-[13px] text-ink-soft">
            {found.length === 0 ? 'All' : 'The other'} {others.length}{' '}
            {others.length === 1 ? 'policy finds' : 'policies find'} nothing
          </summary>
          <div className="mt-3">
            <Bars detail={detail} group={group} policies={others} />
          </div>
        </details>
      )}
    </section>
  );
}

const Bars = ({
  detail,
  group,
  policies,
}: {
  detail: QueryDetail;
  group: GroupResult;
  policies: readonly (readonly [string, number])[];
}) => (
  <ul className="grid gap-3">
    {policies.map(([policy, probability]) => (
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
);

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
      await queries.invalidateQueries({ queryKey: textKey(detail.query_id) });
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
