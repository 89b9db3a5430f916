import { useState } from 'react';
import type { Setting } from '../../api/deployment.ts';
import { Switch, TextField } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { SettingList } from './setting-list.tsx';

/** The section of the configuration file; top-level settings have none. */
const sectionOf = ({ path }: Setting) => (path.includes('.') ? (path.split('.')[0] ?? '') : '');

/** All settings by section, with a search. */
export function AllSettings({ settings }: { settings: readonly Setting[] }) {
  const [words, setWords] = useState('');
  const [onlyChanged, setOnlyChanged] = useState(false);
  const wanted = words.toLowerCase().split(/\s+/);
  const found = settings.filter(
    ({ path, variable, doc, is_set: isSet }) =>
      (isSet || !onlyChanged) &&
      wanted.every((word) => `${path} ${variable} ${doc}`.toLowerCase().includes(word)),
  );
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-6">
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <TextField
          label="Find a setting"
          type="search"
          value={words}
          placeholder="timeout, retention, BULWARK_…"
          onChange={({ target }) => setWords(target.value)}
        />
        <div className="pb-2">
          <Switch label="Changed ones only" checked={onlyChanged} onChange={setOnlyChanged} />
        </div>
      </div>
      {found.length === 0 && <p className="text-sm text-ink-soft">No setting has these words.</p>}
      {[...Map.groupBy(found, sectionOf)].map(([section, inIt]) => (
        <Panel
          key={section}
          title={section === '' ? 'General' : <code className="font-mono">{section}</code>}
        >
          <SettingList settings={inIt} />
        </Panel>
      ))}
    </div>
  );
}
