import { useQuery } from '@tanstack/react-query';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { CheckList } from '../../parts/check-list.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** Which policy groups a guard judges by. */
export function GroupChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (groupUuids: readonly string[]) => void;
}) {
  const groups = useQuery({
    queryKey: keys.groups,
    queryFn: () => policyGuard.listPolicyGroups({ query: { limit: 500 } }),
  });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[13px] font-medium">Judges by</legend>
      <QueryView query={groups}>
        {({ policy_groups: all }) => (
          <CheckList
            chosen={chosen}
            onChange={onChange}
            choices={all.map(({ group_uuid: id, name, is_template: isTemplate, policies }) => ({
              id,
              name,
              note: policies.length === 1 ? '1 policy' : `${policies.length} policies`,
              mark: isTemplate && <Badge>template</Badge>,
            }))}
          />
        )}
      </QueryView>
    </fieldset>
  );
}
