import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actionGuard } from '../../api/action-guard.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { ActionPolicyEditor, type RuleDraft } from './policy-editor.tsx';

const askEveryMs = 700;

/** Finds rules in files or a text, shows them for review, and creates a policy from the selected ones. */
export function RuleExtraction({
  onClose,
  onSaved,
}: {
  onClose: () => void;
  onSaved: (policyId: string) => void;
}) {
  const [files, setFiles] = useState<File[]>([]);
  const begin = useMutation({
    mutationFn: (text: string) =>
      files.length > 0
        ? actionGuard.extractRulesFromFiles({ body: { files } })
        : actionGuard.extractRules({ body: { text } }),
  });
  const jobId = begin.data?.job_id;
  const job = useQuery({
    queryKey: ['extraction-job', jobId],
    enabled: jobId !== undefined,
    queryFn: () => actionGuard.getExtractionJob({ params: { job_id: jobId ?? '' } }),
    refetchInterval: ({ state }) => (state.data === undefined || isPending(state.data) ? askEveryMs : false),
  });
  const result = job.data?.result;
  if (result !== undefined) {
    const drafts: RuleDraft[] = Object.entries(result.rules).map(([key, rule]) => ({ key, ...rule }));
    const suggestedName = files[0]?.name.replace(/\.\w+$/, '') ?? '';
    return <ActionPolicyEditor {...{ drafts, suggestedName, onClose, onSaved }} />;
  }
  const reading = jobId !== undefined && (job.data === undefined || isPending(job.data));
  const failure = begin.error ?? (job.data?.error === undefined ? undefined : new Error(job.data.error));
  return (
    <SourceForm
      files={files}
      onFiles={setFiles}
      busy={begin.isPending || reading}
      failure={failure}
      onClose={onClose}
      onText={begin.mutate}
    />
  );
}

const isPending = ({ status }: { status: string }) => status === 'pending';

/** The source of the rules: files, or a text. */
function SourceForm({
  files,
  onFiles,
  busy,
  failure,
  onClose,
  onText,
}: {
  files: readonly File[];
  onFiles: (files: File[]) => void;
  busy: boolean;
  failure: Error | undefined;
  onClose: () => void;
  onText: (text: string) => void;
}) {
  const [text, setText] = useState('');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rules from a document"
      lead="Each obligation and prohibition becomes a rule, which you review before anything is saved."
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onText(text);
        }}
      >
        {failure !== undefined && <Failure error={failure} />}
        <FileDrop
          multiple
          accept=".pdf,.txt,.md"
          label={
            files.length === 0
              ? 'Choose PDF, text or Markdown files'
              : files.map(({ name }) => name).join(', ')
          }
          onFiles={onFiles}
        />
        {files.length === 0 && (
          <TextArea
            label="Or paste the text"
            rows={6}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            busy={busy}
            disabled={files.length === 0 && text.trim() === ''}
          >
            {busy ? 'Reading …' : 'Find rules'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
