import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** One's own policies and the presets, to tick. */
export function PolicyChoice({
  chosen,
  onChange,
  without = [],
}: {
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
  /** Not offered. */
  without?: readonly string[];
}) {
  const offered = useQuery({
    queryKey: [...actionKeys.policies, 'offered'],
    queryFn: async () => {
      const [own, presets] = await Promise.all([actionGuard.listPolicies(), actionGuard.listTemplates()]);
      return [
        ...own.policies.map(({ id, name, rule_count }) => ({ id, name, rule_count, preset: false })),
        ...presets.templates.map(({ id, name, rule_count }) => ({ id, name, rule_count, preset: true })),
      ];
    },
  });
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium">Policies</legend>
      <QueryView query={offered}>
        {(all) => (
          <div className="grid max-h-72 gap-0.5 overflow-y-auto rounded-lg border border-line p-1.5">
            {all
              .filter(({ id }) => !without.includes(id))
              .map(({ id, name, rule_count: rules, preset }) => (
                <label
                  key={id}
                  className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-raised"
                >
                  <input
                    type="checkbox"
                    className="size-4 accent-(--accent)"
                    checked={chosen.includes(id)}
                    onChange={({ target }) =>
                      onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                    }
                  />
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  {preset && <Badge>preset</Badge>}
                  <span className="text-xs text-ink-soft tabular-nums">{rules} rules</span>
                </label>
              ))}
          </div>
        )}
      </QueryView>
    </fieldset>
  );
}
