import { useState } from 'react';
import { toast } from 'sonner';
import { modelScan, modelScanKey } from '../../api/model-scan.ts';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SharingChoice, type Visibility } from '../../parts/sharing.tsx';

const formats = [
  { value: 'jsonl', label: 'Lines of JSON' },
  { value: 'csv', label: 'CSV' },
  { value: 'promptfoo', label: 'promptfoo (YAML)' },
  { value: 'garak', label: 'garak (a prompt on each line)' },
] as const;
type Format = (typeof formats)[number]['value'];

const byEnding: Readonly<Record<string, Format>> = {
  jsonl: 'jsonl',
  csv: 'csv',
  yaml: 'promptfoo',
  yml: 'promptfoo',
  txt: 'garak',
};

/** Reads a file, or text that is typed, as a data set. */
export function UploadDataSet({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [licence, setLicence] = useState('own');
  const [format, setFormat] = useState<Format>('jsonl');
  const [content, setContent] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('private');
  const take = async ([file]: File[]) => {
    if (file === undefined) return;
    const ending = file.name.split('.').at(-1) ?? '';
    setFormat(byEnding[ending] ?? format);
    setName((before) => (before === '' ? file.name.replace(/\.\w+$/, '') : before));
    setContent(await file.text());
  };
  return (
    <FormDialog
      title="Upload a data set"
      action="Upload"
      wide
      ready={name.trim() !== '' && licence.trim() !== '' && content.trim() !== ''}
      changes={modelScanKey}
      onClose={onClose}
      run={() => modelScan.createDataSet({ body: { name, licence, format, content, visibility } })}
      onDone={({ cases, notes }) => {
        const [first] = notes;
        toast.success(
          `${cases} cases are stored.` +
            (first === undefined ? '' : ` ${notes.length} notes; row ${first.row}: ${first.note}`),
        );
        onClose();
      }}
    >
      <FileDrop
        label="Drop a file here, or choose one"
        hint="JSON lines, CSV, YAML or text"
        accept=".jsonl,.csv,.yaml,.yml,.txt"
        onFiles={(files) => void take(files)}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
          required
        />
        <TextField
          label="Licence"
          hint="Of the material; own: you wrote it."
          value={licence}
          maxLength={200}
          onChange={({ target }) => setLicence(target.value)}
          required
        />
        <SelectField label="Format" value={format} options={formats} onChoice={setFormat} />
      </div>
      <TextArea
        label="Content"
        rows={8}
        className="font-mono text-[13px]"
        placeholder='{"prompt": "…", "subcategory": "threats", "severity": "high", "intent": "harmful"}'
        value={content}
        onChange={({ target }) => setContent(target.value)}
      />
      <SharingChoice kind="dataset" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
