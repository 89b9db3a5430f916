import { Undo2 } from 'lucide-react';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { messageOf } from '../../../parts/states.tsx';
import { FormChips } from './form-chips.tsx';
import { formProblem } from './form-problem.ts';
import { Starting } from './starting.tsx';
import type { Editing } from './use-editing.ts';

/** The rule as tests that open, change and go; where there is none yet, the place to begin one. */
export function FormPanel({ editing, mayChange }: { editing: Editing; mayChange: boolean }) {
  const { draft, shown, undo, setForm } = editing;
  return (
    <Panel
      title="The rule"
      actions={
        undo !== undefined && (
          <Button size="small" kind="quiet" onClick={undo}>
            <Undo2 className="size-3.5" aria-hidden /> Undo
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {draft.isError && <Refused editing={editing} />}
        {shown.form === undefined && !draft.isError && <Starting editing={editing} mayChange={mayChange} />}
        {(shown.form !== undefined || mayChange) && (
          <FormChips form={shown.form} parts={shown.draft?.parts ?? []} onChange={setForm} />
        )}
      </div>
    </Panel>
  );
}

/** What is wrong with the last change; what was right before is shown below. */
const Refused = ({ editing: { draft, form, shown, undo } }: { editing: Editing }) => (
  <div role="alert" className="rounded-lg bg-flag-soft p-3 text-sm">
    <p className="font-medium break-words text-flag">{formProblem(form, messageOf(draft.error))}</p>
    {shown.form !== undefined && (
      <p className="mt-1">Below is the rule as it was before. What you change next begins there.</p>
    )}
    <p className="mt-2 flex flex-wrap gap-2">
      {undo !== undefined && (
        <Button size="small" onClick={undo}>
          Undo the last change
        </Button>
      )}
      <Button size="small" onClick={() => void draft.refetch()}>
        Try again
      </Button>
    </p>
  </div>
);
