import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { draftFrom, type Draft, type Progress } from '../../api/document-reading.ts';
import { Button } from '../../parts/button.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { DraftReview } from './draft-review.tsx';

/** Extracts prohibitions, requirements and permissions from a PDF, and creates a group from the selected ones. */
export function FromDocumentPage() {
  const [progress, setProgress] = useState<Progress>();
  const read = useMutation({
    mutationFn: (file: File) => draftFrom(file, setProgress),
    onMutate: () => setProgress(undefined),
  });
  return (
    <>
      <PageHead
        list={{ to: '/policies', name: 'Text policies' }}
        title="Policies from a document"
        lead="A handbook, a code of conduct, a law: each section that forbids or demands something becomes a policy, which you review before anything is saved."
        actions={read.data !== undefined && <Button onClick={() => read.reset()}>Another document</Button>}
      />
      {read.isError && (
        <div className="mb-6">
          <Failure error={read.error} />
        </div>
      )}
      <Body
        draft={read.data}
        reading={read.isPending ? <Reading file={read.variables} progress={progress} /> : undefined}
        onFile={read.mutate}
      />
    </>
  );
}

function Body({
  draft,
  reading,
  onFile,
}: {
  draft: Draft | undefined;
  reading: ReactNode;
  onFile: (file: File) => void;
}) {
  if (draft !== undefined) return <DraftReview key={draft.name} draft={draft} />;
  if (reading !== undefined) return reading;
  return (
    <div className="max-w-2xl">
      <FileDrop
        label="Drop a PDF here, or choose one"
        hint="Scanned pages (images) cannot be read. Nothing leaves this installation unless an external language model is configured."
        accept="application/pdf,.pdf"
        onFiles={([file]) => {
          if (file !== undefined) onFile(file);
        }}
      />
    </div>
  );
}

const megabyte = 1_048_576;

const steps = {
  pages: (done: number, total: number) => `Page ${done} of ${total}`,
  questions: (done: number, total: number) =>
    `Every page is read; the language model has answered ${done} of ${total} questions about them`,
};

/** Progress: pages are read first, then sections are sent to a language model. */
function Reading({ file, progress }: { file: File; progress: Progress | undefined }) {
  return (
    <Panel
      title={`Reading ${file.name}`}
      note={`${(file.size / megabyte).toFixed(1)} MB`}
      className="max-w-2xl"
    >
      <progress
        aria-label="Reading the document"
        className="h-2 w-full accent-(--accent)"
        value={progress?.done}
        max={progress?.total}
      />
      <p className="mt-2 text-[13px] text-ink-soft tabular-nums" aria-live="polite">
        {progress === undefined ? 'Sending it …' : steps[progress.step](progress.done, progress.total)}
      </p>
    </Panel>
  );
}
