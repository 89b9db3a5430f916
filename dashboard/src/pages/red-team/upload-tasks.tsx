import { useState } from 'react';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { NameField, TextArea } from '../../parts/field.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { SharingChoice, type Visibility } from '../../parts/sharing.tsx';

type Created = Awaited<ReturnType<typeof redTeam.createTaskSet>>;

const example = `domain: finance
scenarios:
  - id: own.check-incoming
    title: Find an incoming payment
    envs: [payments]
    …
goals:
  - id: own.pay-stranger
    …`;

/** Stores the tasks of a file, and then shows which were refused and why. */
export function UploadTasks({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  return created === undefined ? (
    <UploadForm onClose={onClose} onCreated={setCreated} />
  ) : (
    <Outcome created={created} onClose={onClose} />
  );
}

function UploadForm({ onClose, onCreated }: { onClose: () => void; onCreated: (made: Created) => void }) {
  const [name, setName] = useState('');
  const [content, setContent] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('private');
  const take = async ([file]: File[]) => {
    if (file === undefined) return;
    setName((before) => (before === '' ? file.name.replace(/\.\w+$/, '') : before));
    setContent(await file.text());
  };
  return (
    <FormDialog
      title="Upload tasks"
      action="Upload and prove"
      wide
      ready={name.trim() !== '' && content.trim() !== ''}
      changes={redTeamKey}
      onClose={onClose}
      run={() => redTeam.createTaskSet({ body: { name: name.trim(), content, visibility } })}
      onDone={onCreated}
    >
      <FileDrop
        label="Drop a task file here, or choose one"
        hint="YAML or JSON, with scenarios and goals"
        accept=".yaml,.yml,.json"
        onFiles={(files) => void take(files)}
      />
      <NameField name={name} onName={setName} />
      <TextArea
        label="Content"
        rows={10}
        className="font-mono text-[13px]"
        placeholder={example}
        value={content}
        onChange={({ target }) => setContent(target.value)}
      />
      <SharingChoice kind="tasks" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}

function Outcome({ created, onClose }: { created: Created; onClose: () => void }) {
  const { name, tasks, refused, refused_total: total } = created;
  return (
    <Dialog title={`${name}: ${count(tasks)} tasks are stored`} onClose={onClose} open wide>
      {total === 0 ? (
        <p>All tasks of the file are sound.</p>
      ) : (
        <>
          <p className="mb-3">
            {count(total)} tasks were refused, since their verdicts could not be trusted:
          </p>
          <ul className="grid gap-3">
            {refused.map(({ task_id: id, problems }) => (
              <li key={id}>
                <p className="font-mono text-[13px] break-all">{id}</p>
                <p className="text-ink-soft">{problems.join(' ')}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-5 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
