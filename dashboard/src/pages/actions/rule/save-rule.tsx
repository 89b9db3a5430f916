import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import { actionGuard, actionKeys, type ActionPolicy, type Rule } from '../../../api/action-guard.ts';
import { Button } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { Form as FormElement } from '../../../parts/form.tsx';
import { LeaveQuestion } from '../../../parts/leave-question.tsx';
import { UnsavedEdits } from '../../../parts/unsaved-edits.tsx';
import { quotedList } from './understanding.tsx';
import type { Editing } from './use-editing.ts';

interface Saving {
  readonly policy: ActionPolicy;
  readonly ruleKey: string;
  readonly rule: Rule | undefined;
  readonly editing: Editing;
}

const severities = (['High', 'Medium', 'Low'] as const).map((value) => ({ value, label: value }));

/** The other rules are sent as they are: those that say the same keep their forms and their confirmations. */
const others = ({ rules }: ActionPolicy) =>
  Object.fromEntries(
    Object.entries(rules).map(([key, { description, severity, source, rule, origin }]) => [
      key,
      {
        description,
        severity,
        ...(source !== undefined && { source }),
        ...(rule !== undefined && origin !== 'sentence' && { rule }),
      },
    ]),
  );

/** What is sent of the rule; a form without a sentence speaks for itself. */
const fieldsOf = ({ text, form, severity }: Editing) => ({
  severity,
  ...(text.trim() !== '' && { description: text }),
  ...(form !== undefined && { rule: { ...form } }),
});

/** Nobody has confirmed it, and there is a form to confirm. */
const isOpen = (rule: Rule) => rule.confirmed_by === null && rule.canonical !== undefined;

/** There is something to save, and the service has nothing against it. */
const isReady = ({ text, form, draft }: Editing) =>
  (text.trim() !== '' || form !== undefined) &&
  !draft.isError &&
  !draft.isPlaceholderData &&
  draft.data?.problem === undefined;

/** Words of the sentence that a form leaves out, where something was changed. */
const leftOut = ({ form, isRewritten, shown }: Editing) =>
  form !== undefined && isRewritten ? (shown.draft?.unread ?? []) : [];

/** Asks once, before a form is saved or confirmed that leaves out words of its sentence. */
function useQuestion() {
  const [asked, setAsked] = useState<{ words: readonly string[]; answer: (goOn: boolean) => void }>();
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  return {
    asked,
    ask: async (words: readonly string[]) => {
      if (words.every((word) => accepted.includes(word))) return true;
      const goOn = await new Promise<boolean>((answer) => setAsked({ words, answer }));
      setAsked(undefined);
      if (goOn) setAccepted(words);
      return goOn;
    },
  };
}

/** Saves the rule, or confirms what is enforced. */
export function SaveRule({ policy, ruleKey, rule, editing }: Saving) {
  const { text, form, severity, setSeverity } = editing;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { asked, ask } = useQuestion();
  const [newKey] = useState(() => `rule_${Date.now()}`);
  const params = { policy_id: policy.id };
  const key = rule === undefined ? newKey : ruleKey;
  const canConfirm = form === undefined && text === rule?.description && isOpen(rule);
  const confirm = async () => {
    if (!(await ask(rule?.unread ?? []))) return;
    await actionGuard.confirmRule({
      params: { ...params, rule_key: ruleKey },
      body: { canonical: rule?.canonical ?? '' },
    });
    await queries.invalidateQueries({ queryKey: actionKeys.policies });
    toast.success('Confirmed: no upgrade reads the sentence again.');
  };
  const save = async () => {
    if (!(await ask(leftOut(editing)))) return false;
    await actionGuard.updatePolicy({
      params,
      body: { rules: { ...others(policy), [key]: fieldsOf(editing) } },
    });
    return true;
  };
  return (
    <>
      <FormElement
        action="Save"
        className="max-w-3xl"
        ready={isReady(editing)}
        run={save}
        onDone={async (isSaved) => {
          if (!isSaved) return;
          await queries.invalidateQueries({ queryKey: actionKeys.policies });
          toast.success('Saved.');
          void navigate({
            to: '/action-policies/$policyId',
            params: { policyId: policy.id },
            ignoreBlocker: true,
          });
        }}
        beside={
          canConfirm && (
            <Button onClick={() => void confirm().catch((error: unknown) => toast.error(String(error)))}>
              Confirm what is enforced
            </Button>
          )
        }
      >
        <SelectField
          label="Severity"
          className="max-w-40"
          value={severity}
          options={severities}
          onChoice={setSeverity}
        />
      </FormElement>
      <LeftOutQuestion asked={asked} />
      <UnsavedEdits isEdited={editing.isEdited} />
    </>
  );
}

const LeftOutQuestion = ({ asked }: Pick<ReturnType<typeof useQuestion>, 'asked'>) => (
  <LeaveQuestion
    open={asked !== undefined}
    title="Not all of the sentence is enforced"
    stay="Keep editing"
    leave="Enforce it like this"
    onStay={() => asked?.answer(false)}
    onLeave={() => asked?.answer(true)}
  >
    Nothing in the rule looks for {quotedList(asked?.words ?? [])}. Enforced like this, the sentence promises
    more than is done. The words stay marked on the rule.
  </LeaveQuestion>
);
