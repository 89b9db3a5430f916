import { useState } from 'react';
import {
  keys,
  policyGuard,
  type Policy,
  type PolicyDraft,
  type PolicyGroup,
} from '../../api/policy-guard.ts';
import { FormDialog } from '../../parts/form.tsx';
import { JudgedByPanel } from './judged-by.tsx';
import { linesOf } from './lines.ts';
import { PolicyFields, type PolicyText } from './policy-fields.tsx';
import { Replay } from './replay.tsx';
import { TestCases } from './test-cases.tsx';
import { useTestCases } from './use-test-cases.ts';

const blank = { name: '', description: '', block_activities: [], safe_activities: [], enabled: true };

const withLine = (text: string, line: string) => (text.trim() === '' ? line : `${text.trimEnd()}\n${line}`);

/** Creates a policy, or edits the given one: its text at the left, and beside it what the text does. */
export function PolicyEditor({
  group,
  policy,
  onClose,
}: {
  group: PolicyGroup;
  policy?: Policy;
  onClose: () => void;
}) {
  const before = policy ?? blank;
  const first: PolicyText = {
    name: before.name,
    description: before.description,
    block: before.block_activities.join('\n'),
    safe: before.safe_activities.join('\n'),
    enabled: before.enabled,
  };
  const [text, setText] = useState(first);
  const change = (part: Partial<PolicyText>) => setText((now) => ({ ...now, ...part }));
  const cases = useTestCases(group, policy);
  const { group_uuid } = group;
  const body = {
    name: text.name,
    description: text.description,
    block_activities: linesOf(text.block),
    safe_activities: linesOf(text.safe),
    enabled: text.enabled,
  };
  const draft: PolicyDraft = { ...body, ...(policy !== undefined && { _id: policy._id }) };
  const save = async () => {
    const saved =
      policy === undefined
        ? await policyGuard.addPolicy({ params: { group_uuid }, body })
        : await policyGuard.changePolicy({ params: { group_uuid, policy_id: policy._id }, body });
    await cases.save(saved._id);
  };
  return (
    <FormDialog
      wide="full"
      edited={cases.areEdited || text.block !== first.block || text.safe !== first.safe}
      title={policy === undefined ? 'New policy' : `Edit “${policy.name}”`}
      lead="Say what a text does that must not pass, as you would tell a new colleague; then what comes close and is fine."
      action={policy === undefined ? 'Add policy' : 'Save'}
      onClose={onClose}
      run={save}
      changes={keys.groups}
    >
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-2">
        <div className="grid min-w-0 gap-6">
          <PolicyFields text={text} onChange={change} />
          {policy?.judged_by !== undefined && <JudgedByPanel judgedBy={policy.judged_by} />}
        </div>
        <div className="grid min-w-0 gap-6 lg:border-l lg:border-line lg:pl-8">
          <TestCases
            group={group}
            draft={draft}
            cases={cases}
            onActivity={(list, activity) =>
              setText((now) =>
                list === 'block_activities'
                  ? { ...now, block: withLine(now.block, activity) }
                  : { ...now, safe: withLine(now.safe, activity) },
              )
            }
          />
          <Replay group={group} draft={draft} onCase={cases.add} />
        </div>
      </div>
    </FormDialog>
  );
}
