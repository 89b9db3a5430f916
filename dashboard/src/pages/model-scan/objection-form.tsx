import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { modelScan, modelScanKey, type Result } from '../../api/model-scan.ts';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

/** “The judge is wrong”, with a note; objections are counted, and the score stays. */
export function ObjectionForm({ scanId, result }: { scanId: string; result: Result }) {
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const [note, setNote] = useState(result.objection?.note ?? '');
  const params = { scan_id: scanId, number: result.number };
  const withdraw = useMutation({
    mutationFn: () => modelScan.withdrawObjection({ params }),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: modelScanKey }),
  });
  if (editing)
    return (
      <Form
        action="Save"
        changes={modelScanKey}
        ready={note.trim() !== ''}
        run={() => modelScan.objectToVerdict({ params, body: { note } })}
        onDone={() => {
          setEditing(false);
          toast.success('Your objection is counted.');
        }}
        beside={<Button onClick={() => setEditing(false)}>Cancel</Button>}
      >
        <TextArea
          label="Why is the judge wrong?"
          rows={2}
          maxLength={2000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Form>
    );
  return (
    <div className="flex flex-wrap items-center gap-3">
      {result.objection !== null && (
        <p className="min-w-0 flex-1 break-words">
          <span className="text-ink-soft">
            Objection, <Ago at={result.objection.created_at} />:
          </span>{' '}
          {result.objection.note}
        </p>
      )}
      <Button size="small" onClick={() => setEditing(true)}>
        {result.objection === null ? 'The judge is wrong' : 'Change the note'}
      </Button>
      {result.objection !== null && (
        <Button size="small" kind="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Take it back
        </Button>
      )}
    </div>
  );
}
