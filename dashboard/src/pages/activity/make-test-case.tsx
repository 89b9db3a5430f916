import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import type { QueryDetail } from '../../api/monitoring.ts';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { SelectField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useUser } from '../../session/use-session.ts';

/** As long as the service keeps. */
const mostCharacters = 5000;

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly groupUuid: string;
  readonly policyId: string;
  /** Whether the text was found by it. */
  readonly found: boolean;
}

/** The policies that judged the text and that this user may change. */
function useChoices(detail: QueryDetail): readonly Choice[] {
  const { id, isAdmin } = useUser();
  return useQueries({
    queries: detail.results.map(({ policy_group_uuid: uuid }) => ({
      queryKey: keys.group(uuid),
      queryFn: () => policyGuard.getPolicyGroup({ params: { group_uuid: uuid } }),
      retry: false,
    })),
    combine: (found) =>
      found.flatMap(({ data: group }, i) => {
        if (group === undefined || group.owner_id === null) return [];
        if (!isAdmin && group.owner_id !== id) return [];
        return group.policies.map((policy) => ({
          value: policy._id,
          label: `${group.name}: ${policy.name}`,
          groupUuid: group.group_uuid,
          policyId: policy._id,
          found: detail.results[i]?.categories[policy.name] === true,
        }));
      }),
  });
}

/** Keeps the text with a policy, with what the policy should say of it. Nothing where no policy can be changed. */
export function MakeTestCase({ detail }: { detail: QueryDetail }) {
  const choices = useChoices(detail);
  const [isOpen, setIsOpen] = useState(false);
  const { text } = detail;
  if (choices.length === 0 || text === null) return null;
  return (
    <li>
      <button
        type="button"
        className="block font-medium text-accent hover:underline"
        onClick={() => setIsOpen(true)}
      >
        Make it a test case
      </button>
      <span className="block text-[13px] text-ink-soft">
        It is kept with a policy, and judged at every change of the policy’s text.
      </span>
      {isOpen && <TestCaseForm text={text} choices={choices} onClose={() => setIsOpen(false)} />}
    </li>
  );
}

function TestCaseForm({
  text,
  choices,
  onClose,
}: {
  text: string;
  choices: readonly Choice[];
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState(choices.find(({ found }) => found) ?? choices[0]);
  const [answer, setAnswer] = useState<'found' | 'pass'>(chosen?.found === true ? 'pass' : 'found');
  if (chosen === undefined) return null;
  return (
    <FormDialog
      title="Make it a test case"
      lead={`“${text.slice(0, 120)}${text.length > 120 ? '…' : ''}”`}
      action="Keep it"
      run={() =>
        policyGuard.addTestCase({
          params: { group_uuid: chosen.groupUuid, policy_id: chosen.policyId },
          body: { text: text.slice(0, mostCharacters).toWellFormed(), violates: answer === 'found' },
        })
      }
      changes={keys.testCases(chosen.groupUuid, chosen.policyId)}
      onDone={() => {
        toast.success('Kept as a test case.');
        onClose();
      }}
      onClose={onClose}
    >
      <SelectField
        label="Policy"
        value={chosen.value}
        options={choices}
        onChoice={(value) => setChosen(choices.find((each) => each.value === value))}
      />
      <SelectField
        label="What it should say"
        value={answer}
        options={[
          { value: 'found', label: 'The text must be found' },
          { value: 'pass', label: 'The text must pass' },
        ]}
        onChoice={setAnswer}
      />
    </FormDialog>
  );
}
