import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { CheckList } from '../../parts/check-list.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** Checkboxes for one's own policies and the built-in ones. */
export function PolicyChoice({
  chosen,
  onChange,
  without = [],
}: {
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
  /** Policies that are not listed. */
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
          <CheckList
            chosen={chosen}
            onChange={onChange}
            choices={all
              .filter(({ id }) => !without.includes(id))
              .map(({ id, name, rule_count: rules, preset }) => ({
                id,
                name,
                note: `${rules} rules`,
                mark: preset && <Badge>preset</Badge>,
              }))}
          />
        )}
      </QueryView>
    </fieldset>
  );
}
