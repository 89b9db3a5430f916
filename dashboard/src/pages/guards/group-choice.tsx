import { useQuery } from '@tanstack/react-query';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
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
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium">Judges by</legend>
      <QueryView query={groups}>
        {({ policy_groups: all }) => (
          <div className="grid max-h-72 gap-0.5 overflow-y-auto rounded-lg border border-line p-1.5">
            {all.map(({ group_uuid: uuid, name, is_template: isTemplate, policies }) => (
              <label
                key={uuid}
                className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-raised"
              >
                <input
                  type="checkbox"
                  className="size-4 accent-(--accent)"
                  checked={chosen.includes(uuid)}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...chosen, uuid] : chosen.filter((each) => each !== uuid))
                  }
                />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                {isTemplate && <Badge>template</Badge>}
                <span className="text-xs text-ink-soft tabular-nums">{policies.length}</span>
              </label>
            ))}
          </div>
        )}
      </QueryView>
    </fieldset>
  );
}
