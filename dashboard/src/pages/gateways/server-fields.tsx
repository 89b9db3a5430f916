import { Plus, Trash2 } from 'lucide-react';
import { hiddenValue } from '#services/agent-gateway/contract/oauth-client.ts';
import { Button } from '../../parts/button.tsx';
import { NameField, SelectField, TextField } from '../../parts/field.tsx';
import { readCommandLine } from './command-line.ts';
import { nextKey, placeOf, type ServerDraft, type Variable } from './server-draft.ts';

const transports = [
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP with SSE, as old servers have it' },
] as const;

type Set = (changes: Partial<ServerDraft>) => void;

/** Where a server is: its name, and its address or its command with the environment. */
export const ServerFields = ({ draft, set }: { draft: ServerDraft; set: Set }) => (
  <>
    <NameField name={draft.name} onName={(name) => set({ name })} />
    <PlaceField draft={draft} set={set} />
    {draft.transport === 'stdio' ? (
      // Not while an address is being typed.
      !'https://'.startsWith(draft.line) && <Environment draft={draft} set={set} />
    ) : (
      <SelectField
        label="Transport"
        value={draft.transport}
        options={transports}
        onChoice={(transport) => set({ transport })}
      />
    )}
  </>
);

const hintOf = ({ transport, line }: ServerDraft): string => {
  if (transport !== 'stdio') return 'A server elsewhere.';
  return line === ''
    ? 'The address of a server elsewhere, or a command that runs on the gateway’s own machine.'
    : 'It runs on the gateway’s machine, without a shell: words with spaces in quotes; $HOME, | and ~ stay as they are.';
};

/** The address, or the command as one line with the parts below it that the process is started with. */
function PlaceField({ draft, set }: { draft: ServerDraft; set: Set }) {
  const { command, args, problem } = readCommandLine(draft.transport === 'stdio' ? draft.line : '');
  return (
    <div>
      <TextField
        label="URL or command"
        className="font-mono text-[13px]"
        value={draft.transport === 'stdio' ? draft.line : draft.url}
        placeholder="https://mcp.example.com/mcp"
        error={problem}
        hint={hintOf(draft)}
        onChange={({ target }) => set(placeOf(target.value, draft))}
        // A browser neither corrects nor completes a command.
        spellCheck={false}
        autoComplete="off"
        required
      />
      {args.length > 0 && (
        <div className="mt-2 flex flex-wrap items-baseline gap-x-2 gap-y-1.5 text-[13px]">
          <code className="font-mono font-medium">{command}</code>
          <span className="text-ink-soft">with</span>
          <ol aria-label="Arguments" className="contents">
            {args.map((arg, i) => (
              // Arguments may be equal; their order is all that tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <li
                key={i}
                className="max-w-full rounded bg-raised px-1.5 py-0.5 font-mono break-all whitespace-pre-wrap"
              >
                {arg === '' ? '(empty)' : arg}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

function Environment({ draft: { variables }, set }: { draft: ServerDraft; set: Set }) {
  const change = (key: number, changes: Partial<Variable>) =>
    set({ variables: variables.map((each) => (each.key === key ? { ...each, ...changes } : each)) });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[13px] font-medium">Environment</legend>
      <ul className="grid gap-2">
        {variables.map(({ key, name, value }, i) => (
          <li key={key} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
            <TextField
              hideLabel
              label={`Name of variable ${i + 1}`}
              className="font-mono text-[13px]"
              value={name}
              placeholder="NAME"
              pattern="[A-Za-z_][A-Za-z0-9_]*"
              title="Letters, digits and _, no digit first"
              autoComplete="off"
              onChange={({ target }) => change(key, { name: target.value })}
              required
            />
            <TextField
              hideLabel
              label={`Value of ${name || `variable ${i + 1}`}`}
              className="font-mono text-[13px]"
              value={value}
              placeholder="value"
              autoComplete="off"
              onFocus={({ target }) => {
                // A kept value is replaced as a whole.
                if (value === hiddenValue) target.select();
              }}
              onChange={({ target }) => change(key, { value: target.value })}
            />
            <Button
              kind="quiet"
              size="icon"
              aria-label={`Remove ${name || `variable ${i + 1}`}`}
              onClick={() => set({ variables: variables.filter((each) => each.key !== key) })}
            >
              <Trash2 className="size-4" aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Button
        size="small"
        className={variables.length === 0 ? '' : 'mt-2'}
        onClick={() => set({ variables: [...variables, { key: nextKey(variables), name: '', value: '' }] })}
      >
        <Plus className="size-3.5" aria-hidden /> Add a variable
      </Button>
      <p className="mt-1.5 text-[13px] text-ink-soft">
        The process gets only these. They are stored encrypted
        {variables.some(({ value }) => value === hiddenValue) && `; ${hiddenValue} keeps the stored value`}.
      </p>
    </fieldset>
  );
}
