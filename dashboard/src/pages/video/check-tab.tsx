import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { checkVideo, type Progress } from '../../api/video.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { ResultView } from './result-view.tsx';
import { useDeployments } from './use-deployments.ts';

const rates = [
  { value: '0.5', label: 'a frame every two seconds' },
  { value: '1', label: 'a frame a second' },
  { value: '2', label: 'two frames a second' },
  { value: '5', label: 'five frames a second' },
] as const;

/** A video by file or address, and what was found in it. */
export function CheckTab() {
  const [address, setAddress] = useState('');
  const [rate, setRate] = useState<(typeof rates)[number]['value']>('1');
  const [deploymentId, setDeploymentId] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const [preview, setPreview] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(
    () => () => {
      if (preview !== undefined) URL.revokeObjectURL(preview);
    },
    [preview],
  );
  const deployments = useDeployments();
  const check = useMutation({
    mutationFn: (source: { url: string } | { file: File }) => {
      running.current?.abort();
      running.current = new AbortController();
      setProgress(undefined);
      setPreview('file' in source ? URL.createObjectURL(source.file) : undefined);
      return checkVideo({
        source,
        deploymentId: deploymentId === '' ? undefined : deploymentId,
        fps: Number(rate),
        onProgress: setProgress,
        signal: running.current.signal,
      });
    },
  });
  return (
    <div className="grid gap-5">
      <Panel>
        <div className="grid gap-4">
          <FileDrop
            label="Drop a video here, or choose one"
            hint="MP4, WebM or MOV. It is deleted as soon as it has been judged."
            accept="video/mp4,video/webm,video/quicktime,.mkv"
            onFiles={([file]) => file !== undefined && check.mutate({ file })}
          />
          <form
            className="grid items-end gap-4 sm:grid-cols-[1fr_auto]"
            onSubmit={(event) => {
              event.preventDefault();
              check.mutate({ url: address.trim() });
            }}
          >
            <TextField
              label="Or its address"
              type="url"
              placeholder="https://…/video.mp4"
              value={address}
              onChange={({ target }) => setAddress(target.value)}
            />
            <Button type="submit" disabled={address.trim() === ''} busy={check.isPending}>
              Check
            </Button>
          </form>
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField label="Sampling" value={rate} options={rates} onChoice={setRate} />
            <SelectField
              label="Deployment"
              value={deploymentId}
              options={[
                { value: '', label: 'Preset of this installation' },
                ...(deployments.data?.deployments ?? []).map(({ deployment_id: value, name }) => ({
                  value,
                  label: name,
                })),
              ]}
              onChoice={setDeploymentId}
            />
          </div>
        </div>
      </Panel>
      {check.isPending && <Running progress={progress} onStop={() => running.current?.abort()} />}
      {check.isError && <Failure error={check.error} />}
      {check.data !== undefined && !check.isPending && <ResultView result={check.data} source={preview} />}
    </div>
  );
}

function Running({ progress, onStop }: { progress: Progress | undefined; onStop: () => void }) {
  const total = progress?.duration_seconds ?? undefined;
  const words =
    progress === undefined
      ? 'The video is being fetched and opened.'
      : `${progress.analyzed_seconds.toFixed(1)} s${total === undefined ? '' : ` of ${total.toFixed(1)} s`} judged.`;
  return (
    <Panel>
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p role="status">{words}</p>
        <Button size="small" onClick={onStop}>
          Stop
        </Button>
      </div>
      {total !== undefined && progress !== undefined && (
        <progress
          className="mt-3 w-full"
          aria-label="Progress"
          max={total}
          value={progress.analyzed_seconds}
        />
      )}
    </Panel>
  );
}
