import { useQuery } from '@tanstack/react-query';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { CheckList } from '../../parts/check-list.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** The selection of a guard's policy groups. */
export function GroupChoice({
  chosen,
  onChange,
  attached = {},
  readOnly = false,
}: {
  chosen: readonly string[];
  onChange: (groupUuids: readonly string[]) => void;
  /** Names of the guard's groups: it keeps a group that is no longer shared. */
  attached?: Readonly<Record<string, string>>;
  readOnly?: boolean;
}) {
  const groups = useQuery({
    queryKey: keys.groupList('all'),
    queryFn: () => policyGuard.listPolicyGroups({ query: { limit: 500, owner: 'all' } }),
  });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[13px] font-medium">Judges by</legend>
      <QueryView query={groups}>
        {({ policy_groups: all }) => (
          <CheckList
            chosen={chosen}
            onChange={onChange}
            readOnly={readOnly}
            choices={[
              ...all.map(({ group_uuid: id, name, is_template: isTemplate, policies }) => ({
                id,
                name,
                note: policies.length === 1 ? '1 policy' : `${policies.length} policies`,
                mark: isTemplate && <Badge>template</Badge>,
              })),
              ...Object.entries(attached)
                .filter(([uuid]) => !all.some(({ group_uuid: known }) => known === uuid))
                .map(([id, name]) => ({ id, name, note: 'not shared with you' })),
            ]}
          />
        )}
      </QueryView>
    </fieldset>
  );
}
