import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { SelectField, Switch } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ExamplesField } from '../policies/examples-field.tsx';
import { readExamples } from '../policies/lab-examples.ts';

/** A form that trains the guard with labelled texts. */
export function Teach({
  guard,
  labelled,
  onClose,
}: {
  guard: Guard;
  /** Labelled entries of the guard's query log. */
  labelled: number;
  onClose: () => void;
}) {
  const groups = useQuery({
    queryKey: keys.groupList('all'),
    queryFn: () => policyGuard.listPolicyGroups({ query: { limit: 500, owner: 'all' } }),
  });
  const policies =
    groups.data?.policy_groups
      .filter(({ group_uuid: uuid }) => guard.policy_group_uuids.includes(uuid))
      .flatMap((group) =>
        group.policies
          .filter(({ enabled }) => enabled)
          .map(({ name }) => ({
            value: `${group.group_uuid} ${name}`,
            label: `${name} (${group.name})`,
          })),
      ) ?? [];
  const [chosen, setChosen] = useState('');
  const [lines, setLines] = useState('');
  const [includeLabels, setIncludeLabels] = useState(labelled > 0);
  const [extend, setExtend] = useState(true);
  const [groupUuid = '', ...name] = (chosen || (policies[0]?.value ?? '')).split(' ');
  const policy = name.join(' ');
  const { examples, problems } = readExamples(
    lines,
    policy,
    policies
      .filter(({ value }) => value.startsWith(`${groupUuid} `))
      .map(({ value }) => value.slice(groupUuid.length + 1)),
  );
  return (
    <FormDialog
      wide
      title="Teach by examples"
      lead="Texts as the guard receives them, with the correct label for each. The new version is active at once; the previous one is kept."
      action="Learn"
      ready={examples.length > 0 || includeLabels}
      onClose={onClose}
      run={() =>
        policyGuard.createAdaptation({
          params: { guard_uuid: guard.guard_uuid },
          body: {
            examples: examples.map((example) => ({
              ...example,
              ...(example.policy === policy && { policy_group_uuid: groupUuid }),
            })),
            include_labels: includeLabels,
            extend,
          },
        })
      }
      changes={keys.guards}
    >
      <SelectField
        label="Policy"
        value={chosen || (policies[0]?.value ?? '')}
        options={policies}
        onChoice={setChosen}
      />
      <ExamplesField lines={lines} onLines={setLines} examples={examples} problems={problems} />
      <Switch
        label="Also the queries that people labelled"
        hint={`${labelled} so far; label more under Queries.`}
        checked={includeLabels}
        onChange={setIncludeLabels}
        disabled={labelled === 0}
      />
      <Switch
        label="Keep what it has learned before"
        hint="The examples of the version in use stay; a text that comes again has its new label."
        checked={extend}
        onChange={setExtend}
      />
    </FormDialog>
  );
}
