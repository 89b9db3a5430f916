import { useQuery } from '@tanstack/react-query';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { SelectField, ShareField } from '../../parts/field.tsx';

type Overrides = Guard['policy_group_overrides'];

const strictnessChoices = [
  { value: '', label: 'As the group says' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const;

/** A different threshold or strictness for this guard only, per attached group. */
export function GroupOverrides({
  groupUuids,
  overrides,
  onChange,
}: {
  groupUuids: readonly string[];
  overrides: Overrides;
  onChange: (overrides: Overrides) => void;
}) {
  const groups = useQuery({
    queryKey: keys.groupList('all'),
    queryFn: () => policyGuard.listPolicyGroups({ query: { limit: 500, owner: 'all' } }),
  });
  const attached =
    groups.data?.policy_groups.filter(({ group_uuid: uuid }) => groupUuids.includes(uuid)) ?? [];
  if (attached.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer text-[13px] font-medium">Stricter or looser for this guard</summary>
      <div className="mt-3 grid gap-5">
        {attached.map((group) => {
          const own = overrides[group.group_uuid] ?? {};
          const change = (next: Overrides[string]) => onChange({ ...overrides, [group.group_uuid]: next });
          return (
            <div key={group.group_uuid} className="grid gap-3 sm:grid-cols-2">
              <ShareField
                label={`${group.name}: threshold`}
                value={own.threshold ?? group.threshold}
                onChange={(threshold) => change({ ...own, threshold })}
              />
              <SelectField
                label={`${group.name}: strictness`}
                value={own.strictness_level ?? ''}
                options={strictnessChoices}
                onChoice={(next) => {
                  const { strictness_level: _, ...rest } = own;
                  change(next === '' ? rest : { ...rest, strictness_level: next });
                }}
              />
            </div>
          );
        })}
      </div>
    </details>
  );
}
