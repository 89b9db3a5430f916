import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { modelScan } from '../../api/model-scan.ts';
import { Button } from '../../parts/button.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { modelOf, type ScanDraft } from './scan-draft.ts';

interface Step {
  readonly draft: ScanDraft;
  readonly change: (part: Partial<ScanDraft>) => void;
}

/** Address, key and name of the model, and whether it answers. */
export function ModelStep({ draft, change }: Step) {
  const probe = useMutation({ mutationFn: () => modelScan.probeModel({ body: { model: modelOf(draft) } }) });
  // An answer to other settings says nothing on these.
  const set = (part: Partial<ScanDraft>) => {
    probe.reset();
    change(part);
  };
  return (
    <Panel title="The model" note="Any server that speaks chat completions.">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Base URL"
          type="url"
          placeholder="https://models.example.com/v1"
          hint="Usually ends in /v1."
          value={draft.baseUrl}
          onChange={({ target }) => set({ baseUrl: target.value })}
          required
        />
        <TextField
          label="Model name"
          value={draft.modelName}
          onChange={({ target }) => set({ modelName: target.value })}
          required
        />
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          hint="Any text if it needs none."
          value={draft.apiKey}
          onChange={({ target }) => set({ apiKey: target.value })}
          required
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Temperature"
            type="number"
            min={0}
            max={2}
            step={0.1}
            value={draft.temperature}
            onChange={({ target }) => set({ temperature: target.value })}
          />
          <TextField
            label="Longest reply (tokens)"
            type="number"
            min={1}
            value={draft.maxTokens}
            onChange={({ target }) => set({ maxTokens: target.value })}
          />
        </div>
        <div className="sm:col-span-2">
          <TextArea
            label="More headers"
            rows={2}
            placeholder="x-team: red"
            hint="One on each line, as name: value. They are sent to the model and stored encrypted."
            value={draft.headers}
            onChange={({ target }) => set({ headers: target.value })}
          />
        </div>
      </div>
      <div className="mt-4 grid gap-3">
        <div>
          <Button
            busy={probe.isPending}
            disabled={draft.baseUrl === '' || draft.apiKey === '' || draft.modelName === ''}
            onClick={() => probe.mutate()}
          >
            Ask it a question
          </Button>
        </div>
        {probe.isError && <Failure error={probe.error} />}
        {probe.data !== undefined && <ProbeResult {...probe.data} />}
      </div>
    </Panel>
  );
}

function ProbeResult({
  ok,
  detail,
  reply,
  latency_ms: latencyMs,
}: Awaited<ReturnType<typeof modelScan.probeModel>>) {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <div
      role="status"
      className={`flex gap-2.5 rounded-lg p-3 text-sm ${ok ? 'bg-good-soft' : 'bg-flag-soft'}`}
    >
      <Icon className={`mt-0.5 size-4 shrink-0 ${ok ? 'text-good' : 'text-flag'}`} aria-hidden />
      <div className="min-w-0">
        <p className="break-words">
          {detail} {latencyMs !== null && `It took ${milliseconds(latencyMs)}.`}
        </p>
        {reply !== null && <p className="mt-1 font-mono text-[13px] break-words text-ink-soft">{reply}</p>}
      </div>
    </div>
  );
}
