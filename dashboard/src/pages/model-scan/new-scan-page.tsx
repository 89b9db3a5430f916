import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { modelScan, modelScanKey } from '../../api/model-scan.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { firstDraft, modelOf, numberOr, type ScanDraft, selectionOf } from './scan-draft.ts';
import { CasesStep } from './wizard-cases.tsx';
import { ModelStep } from './wizard-model.tsx';
import { PaceStep } from './wizard-pace.tsx';

const list = { to: '/model-scans', name: 'Model scans' } as const;
const steps = ['Model', 'Cases and attacks', 'Pace and start'] as const;

/** A new scan in three steps; the first asks the model a question before anything is stored. */
export function NewScanPage() {
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<ScanDraft>(firstDraft);
  const change = (part: Partial<ScanDraft>) => setDraft((before) => ({ ...before, ...part }));
  const offer = useQuery({
    queryKey: [...modelScanKey, 'offer'],
    queryFn: async () => {
      const [product, own] = await Promise.all([
        modelScan.listDataSets({}),
        modelScan.listOwnDataSets({ query: {} }),
      ]);
      return { ...product, own: own.datasets };
    },
    staleTime: 60_000,
  });
  const isModelReady = draft.baseUrl !== '' && draft.apiKey !== '' && draft.modelName !== '';
  return (
    <>
      <PageHead
        list={list}
        title="New scan"
        lead="The key of the model is stored encrypted, and shown nowhere again."
      />
      <ol className="mb-6 flex flex-wrap gap-2 text-sm" aria-label="Steps">
        {steps.map((name, i) => (
          <li key={name}>
            <Button
              kind={i === step ? 'primary' : 'quiet'}
              size="small"
              aria-current={i === step ? 'step' : undefined}
              disabled={i > 0 && !isModelReady}
              onClick={() => setStep(i)}
            >
              {i + 1}. {name}
            </Button>
          </li>
        ))}
      </ol>
      <div className="grid max-w-4xl gap-6">
        {step === 0 && <ModelStep draft={draft} change={change} />}
        {step === 1 && <CasesStep draft={draft} change={change} offer={offer} />}
        {step === 2 && <PaceStep draft={draft} change={change} offer={offer.data} />}
        {step < 2 ? (
          <div className="flex gap-2">
            {step > 0 && <Button onClick={() => setStep(step - 1)}>Back</Button>}
            <Button kind="primary" disabled={!isModelReady} onClick={() => setStep(step + 1)}>
              Next
            </Button>
          </div>
        ) : (
          <StartButtons draft={draft} onBack={() => setStep(1)} />
        )}
      </div>
    </>
  );
}

function StartButtons({ draft, onBack }: { draft: ScanDraft; onBack: () => void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () => {
      const common = {
        scan_name: draft.scanName,
        model: modelOf(draft),
        visibility: draft.visibility,
      };
      if (draft.isSandbox) return modelScan.startSandboxScan({ body: common });
      const qpm = numberOr(draft.qpm, undefined);
      return modelScan.startScan({
        body: {
          ...common,
          ...selectionOf(draft),
          concurrency: numberOr(draft.concurrency, 8),
          seed: numberOr(draft.seed, 1),
          ...(qpm !== undefined && { qpm }),
        },
      });
    },
    onSuccess: async ({ scan_id: scanId }) => {
      await queries.invalidateQueries({ queryKey: modelScanKey });
      await navigate({ to: '/model-scans/$scanId', params: { scanId } });
    },
  });
  return (
    <>
      {start.isError && <Failure error={start.error} />}
      <div className="flex gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          busy={start.isPending}
          disabled={draft.scanName.trim() === ''}
          onClick={() => start.mutate()}
        >
          Start the scan
        </Button>
      </div>
    </>
  );
}
