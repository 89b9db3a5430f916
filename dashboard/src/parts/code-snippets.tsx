import { useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Raw } from './facts.tsx';
import { SelectField } from './field.tsx';

export interface Snippet {
  /** The language or tool. */
  readonly name: string;
  readonly text: string;
  /** What has to be installed or set first. */
  readonly note?: string;
}

const kept = 'bulwark-snippet-language';

/** The same call in several languages; the chosen one is remembered for all pages. */
export function CodeSnippets({ snippets }: { snippets: readonly Snippet[] }) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(kept) ?? '');
  const shown = snippets.find(({ name }) => name === chosen) ?? snippets[0];
  if (shown === undefined) return null;
  return (
    <>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label="Language"
          value={shown.name}
          options={snippets.map(({ name }) => ({ value: name, label: name }))}
          onChoice={(name) => {
            setChosen(name);
            localStorage.setItem(kept, name);
          }}
        />
        <CopyButton small text={shown.text} of={`for ${shown.name}`} />
      </div>
      {shown.note !== undefined && <p className="mb-2 text-[13px] text-ink-soft">{shown.note}</p>}
      <Raw>{shown.text}</Raw>
    </>
  );
}
