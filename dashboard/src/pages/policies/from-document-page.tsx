import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { patientPolicyGuard, type Draft } from '../../api/policy-guard.ts';
import { Button } from '../../parts/button.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { DraftReview } from './draft-review.tsx';

/** Reads a PDF for what it forbids, demands and allows, and makes a policy group of what the reader keeps. */
export function FromDocumentPage() {
  const read = useMutation({
    mutationFn: (file: File) => patientPolicyGuard.extractPolicies({ body: { file } }),
  });
  return (
    <>
      <PageHead
        list={{ to: '/policies', name: 'Policies' }}
        title="Policies from a document"
        lead="A handbook, a code of conduct, a law: each section that forbids or demands something becomes a policy, which you review before anything is saved."
        actions={read.data !== undefined && <Button onClick={() => read.reset()}>Another document</Button>}
      />
      {read.isError && (
        <div className="mb-6">
          <Failure error={read.error} />
        </div>
      )}
      <Body draft={read.data} reading={read.isPending ? read.variables : undefined} onFile={read.mutate} />
    </>
  );
}

function Body({
  draft,
  reading,
  onFile,
}: {
  draft: Draft | undefined;
  reading: File | undefined;
  onFile: (file: File) => void;
}) {
  if (draft !== undefined) return <DraftReview key={draft.name} draft={draft} />;
  if (reading !== undefined) return <Reading file={reading} />;
  return (
    <div className="max-w-2xl">
      <FileDrop
        label="Drop a PDF here, or choose one"
        hint="Its text must be text: pages that are pictures cannot be read. Nothing leaves this installation unless a language model elsewhere is configured."
        accept="application/pdf,.pdf"
        onFiles={([file]) => {
          if (file !== undefined) onFile(file);
        }}
      />
    </div>
  );
}

const megabyte = 1_048_576;

/** What is read, and for how long already: how much is left, nobody knows before the last page. */
function Reading({ file }: { file: File }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Panel title={`Reading ${file.name}`} className="max-w-2xl">
      <progress aria-label="Reading the document" className="h-2 w-full accent-(--accent)" />
      <p className="mt-2 text-[13px] text-ink-soft tabular-nums">
        {(file.size / megabyte).toFixed(1)} MB, {seconds} s
      </p>
    </Panel>
  );
}
