import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextArea } from '../../parts/field.tsx';

export interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
}

const roles = [
  { value: 'user', label: 'User' },
  { value: 'assistant', label: 'Assistant' },
  { value: 'system', label: 'System' },
] as const;

/** The conversation before the text: a text may be harmless alone, but not in its context. */
export const Conversation = ({
  turns,
  onTurns,
}: {
  turns: readonly Turn[];
  onTurns: (turns: readonly Turn[]) => void;
}) => (
  <fieldset className="grid gap-3">
    <legend className="mb-1.5 text-[13px] font-medium">Earlier in the conversation</legend>
    {turns.length > 0 && (
      <ol className="grid gap-2">
        {turns.map((turn, i) => {
          const change = (changes: Partial<Turn>) =>
            onTurns(turns.map((each, at) => (at === i ? { ...each, ...changes } : each)));
          return (
            <li
              // Turns have no id other than their position.
              // oxlint-disable-next-line react/no-array-index-key
              key={i}
              className="grid items-start gap-2 sm:grid-cols-[7.5rem_minmax(0,1fr)_auto]"
            >
              <SelectField
                label={`Who said turn ${i + 1}`}
                hideLabel
                value={turn.role}
                options={roles}
                onChoice={(next) => change({ role: next })}
              />
              <TextArea
                label={`Turn ${i + 1}`}
                hideLabel
                rows={2}
                value={turn.content}
                onChange={({ target }) => change({ content: target.value })}
              />
              <Button
                kind="quiet"
                size="icon"
                aria-label={`Remove turn ${i + 1}`}
                onClick={() => onTurns(turns.filter((_, at) => at !== i))}
              >
                <Trash2 className="size-4" aria-hidden />
              </Button>
            </li>
          );
        })}
      </ol>
    )}
    <Button
      size="small"
      className="justify-self-start"
      onClick={() =>
        onTurns([...turns, { role: turns.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' }])
      }
    >
      <Plus className="size-3.5" aria-hidden /> Add a turn
    </Button>
  </fieldset>
);
