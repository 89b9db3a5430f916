import { useState } from 'react';
import { video, videoKey, type Deployment } from '../../api/video.ts';
import { SelectField, Switch, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useGuardNames } from '../monitoring/use-guard-names.ts';
import { categoryName } from './names.ts';
import { categories as builtIn } from '#services/video-moderation/contract/names.ts';

const simple = [
  { name: 'nsfw', label: 'Image model for sexual content' },
  { name: 'flash', label: 'Flashes (WCAG)' },
  { name: 'heuristics', label: 'Movement, fire, cuts' },
  { name: 'text', label: 'Words in the picture' },
  { name: 'subtitles', label: 'Subtitles' },
  { name: 'metadata', label: 'Marks of generated content' },
  { name: 'vision', label: 'Vision model, where one is configured' },
] as const;

const visibilities = [
  { value: 'private', label: 'Only I and administrators' },
  { value: 'tenant', label: 'Everybody of the tenant' },
] as const;

const presetCategories: Deployment['categories'] = builtIn.map((id) => ({
  id,
  threshold: 0.5,
  description: '',
}));

/** Categories with thresholds, and which detectors run. */
// oxlint-disable-next-line complexity -- each field has a preset for a new deployment.
export function DeploymentForm({
  deployment,
  onClose,
}: {
  deployment: Deployment | undefined;
  onClose: () => void;
}) {
  const [name, setName] = useState(deployment?.name ?? '');
  const [visibility, setVisibility] = useState<Deployment['visibility']>(deployment?.visibility ?? 'private');
  const [categories, setCategories] = useState(deployment?.categories ?? presetCategories);
  const [on, setOn] = useState<Readonly<Record<string, boolean>>>(
    Object.fromEntries(simple.map((each) => [each.name, deployment?.detectors[each.name].enabled ?? true])),
  );
  const [guard, setGuard] = useState(deployment?.detectors.text.guard_uuid ?? '');
  const [url, setUrl] = useState(deployment?.detectors.http.url ?? '');
  const detectors = detectorsOf(deployment, { on, guard, url, categories: categories.map(({ id }) => id) });
  const body = { name, visibility, categories, detectors };
  const change = (id: string, threshold: number) =>
    setCategories((all) => all.map((each) => (each.id === id ? { ...each, threshold } : each)));
  const toggle = (id: string, isOn: boolean) =>
    setCategories((all) =>
      isOn ? [...all, { id, threshold: 0.5, description: '' }] : all.filter((each) => each.id !== id),
    );
  const ids = [...new Set<string>([...builtIn, ...categories.map(({ id }) => id)])];
  return (
    <FormDialog
      title={deployment === undefined ? 'New deployment' : deployment.name}
      action="Save"
      wide
      ready={name.trim() !== '' && categories.length > 0}
      changes={videoKey}
      onClose={onClose}
      run={() =>
        deployment === undefined
          ? video.createDeployment({ body })
          : video.updateDeployment({ params: { deployment_id: deployment.deployment_id }, body })
      }
      onDone={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
          required
        />
        <SelectField
          label="Who may use it"
          value={visibility}
          options={visibilities}
          onChoice={setVisibility}
        />
      </div>
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="mb-2 text-sm font-medium">Detectors</legend>
        {simple.map((each) => (
          <Switch
            key={each.name}
            label={each.label}
            checked={on[each.name] ?? true}
            onChange={(isOn) => setOn((before) => ({ ...before, [each.name]: isOn }))}
          />
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <GuardField guard={guard} onGuard={setGuard} />
        <TextField
          label="Detector of your own"
          hint="Address that frames are sent to; empty: none."
          type="url"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Categories and thresholds</legend>
        {ids.map((id) => {
          const found = categories.find((each) => each.id === id);
          return (
            <div key={id} className="grid grid-cols-[1fr_6rem] items-center gap-3">
              <Switch
                label={categoryName(id)}
                checked={found !== undefined}
                onChange={(isOn) => toggle(id, isOn)}
              />
              <input
                type="number"
                min={0}
                max={1}
                step={0.05}
                aria-label={`Threshold of ${categoryName(id)}`}
                className="rounded-lg border border-line-strong bg-panel px-2 py-1 text-sm tabular-nums"
                disabled={found === undefined}
                value={found?.threshold ?? 0.5}
                onChange={({ target }) => change(id, Math.min(1, Math.max(0, Number(target.value))))}
              />
            </div>
          );
        })}
      </fieldset>
    </FormDialog>
  );
}

/** The guard that judges words; it may be one that the user does not see. */
function GuardField({ guard, onGuard }: { guard: string; onGuard: (guard: string) => void }) {
  const names = useGuardNames();
  const guards = [...(names ?? [])].map(([value, label]) => ({ value, label }));
  const isHidden = guard !== '' && names?.has(guard) !== true;
  return (
    <SelectField
      label="Guard for words"
      value={guard}
      options={[
        { value: '', label: 'Policies made from the categories' },
        ...(isHidden ? [{ value: guard, label: 'A guard that is not shared with you' }] : []),
        ...guards,
      ]}
      onChoice={onGuard}
    />
  );
}

interface Chosen {
  readonly on: Readonly<Record<string, boolean>>;
  readonly guard: string;
  readonly url: string;
  readonly categories: string[];
}

/** What the form leaves out stays as it was. */
function detectorsOf(deployment: Deployment | undefined, { on, guard, url, categories }: Chosen) {
  const before = deployment?.detectors;
  const switched = Object.fromEntries(
    simple.map(({ name }) => [name, { ...before?.[name], enabled: on[name] ?? true }]),
  );
  const address = url.trim() === '' ? null : url.trim();
  return {
    ...before,
    ...switched,
    text: {
      ...before?.text,
      enabled: on['text'] ?? true,
      guard_uuid: guard === '' ? null : guard,
    },
    http: { url: address, categories: address === null ? [] : categories },
  };
}
