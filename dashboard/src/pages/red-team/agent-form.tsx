import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { protocols } from '#services/red-team/contract/names.ts';
import { identity } from '../../api/identity.ts';
import { type Agent, redTeam, redTeamKey } from '../../api/red-team.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { NameField, SelectField, Switch, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { Failure } from '../../parts/states.tsx';
import { protocolNames } from './protocol-names.ts';

interface Draft {
  readonly name: string;
  readonly endpoint: string;
  readonly protocol: Agent['protocol'];
  readonly apiKey: string;
  readonly model: string;
  readonly toolLoop: boolean;
  readonly parallel: boolean;
  /** Id of the API key that the agent calls the sandbox with; empty: any of the user's. */
  readonly sandboxKey: string;
  readonly body: string;
  readonly responsePath: string;
  readonly visibility: Visibility;
}

const empty: Draft = {
  name: '',
  endpoint: '',
  protocol: 'auto',
  apiKey: '',
  model: '',
  toolLoop: false,
  parallel: false,
  sandboxKey: '',
  body: '{"prompt": "{{prompt}}", "mcp_url": "{{mcp_url}}"}',
  responsePath: 'reply',
  visibility: 'private',
};

/** The body of a template; undefined while it is no JSON. */
function jsonOf(text: string): { readonly value: never } | undefined {
  try {
    return { value: JSON.parse(text) as never };
  } catch {
    return undefined;
  }
}

/** The connection as requests have it. */
const connectionOf = (draft: Draft) => ({
  endpoint: draft.endpoint.trim(),
  protocol: draft.protocol,
  tool_loop: draft.toolLoop,
  parallel: draft.parallel,
  ...(draft.apiKey !== '' && { api_key: draft.apiKey }),
  ...(draft.model.trim() !== '' && { model: draft.model.trim() }),
  ...(draft.protocol === 'json' && {
    template: { body: jsonOf(draft.body)?.value as never, response_path: draft.responsePath.trim() },
  }),
});

/** With a key of its own an agent with one fixed MCP address works beside others of its user. */
function SandboxKey({ value, onKey }: { value: string; onKey: (id: string) => void }) {
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: () => identity.listApiKeys() });
  const own = keys.data?.api_keys ?? [];
  if (own.length === 0) return null;
  return (
    <SelectField
      label="API key that it calls the sandbox with"
      hint="Agents with keys of their own can be tested at the same time."
      value={value}
      options={[
        { value: '', label: 'Any of mine' },
        ...own.map(({ id, name, key_prefix: prefix }) => ({ value: id, label: `${name} (${prefix}…)` })),
      ]}
      onChoice={onKey}
    />
  );
}

/** Registers an agent; before that it can be sent a harmless greeting. */
export function AgentForm({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(empty);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const isJson = draft.protocol === 'json';
  const hasBody = !isJson || jsonOf(draft.body) !== undefined;
  const isReady = draft.endpoint.trim() !== '' && hasBody;
  return (
    <FormDialog
      title="Register an agent"
      lead="Its key is stored encrypted, and shown nowhere again."
      wide
      action="Register"
      changes={redTeamKey}
      onClose={onClose}
      ready={isReady && draft.name.trim() !== ''}
      run={() =>
        redTeam.registerAgent({
          body: {
            name: draft.name.trim(),
            visibility: draft.visibility,
            ...(draft.sandboxKey !== '' && !draft.parallel && { sandbox_key_id: draft.sandboxKey }),
            ...connectionOf(draft),
          },
        })
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NameField name={draft.name} onName={(name) => change({ name })} />
        <SelectField
          label="Protocol"
          value={draft.protocol}
          options={protocols.map((value) => ({ value, label: protocolNames[value] }))}
          onChoice={(protocol) => change({ protocol })}
        />
      </div>
      <TextField
        label="Endpoint"
        type="url"
        required
        placeholder="https://agent.example.com/v1/responses"
        value={draft.endpoint}
        onChange={({ target }) => change({ endpoint: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          hint="Sent to the agent as a bearer token. May be empty."
          value={draft.apiKey}
          onChange={({ target }) => change({ apiKey: target.value })}
        />
        <TextField
          label="Model"
          hint="Sent where the protocol has such a field."
          value={draft.model}
          onChange={({ target }) => change({ model: target.value })}
        />
      </div>
      {isJson && (
        <>
          <TextArea
            label="Body"
            rows={4}
            className="font-mono"
            value={draft.body}
            error={hasBody ? undefined : 'This is not JSON.'}
            hint="{{prompt}}, {{session_id}} and {{mcp_url}} are filled in."
            onChange={({ target }) => change({ body: target.value })}
          />
          <TextField
            label="Where the reply stands"
            hint="A path in the answer, such as choices.0.text."
            value={draft.responsePath}
            onChange={({ target }) => change({ responsePath: target.value })}
          />
        </>
      )}
      {draft.protocol === 'openai_chat' && (
        <Switch
          label="It is a bare model"
          hint="The tools are passed as functions, and Bulwark makes the calls."
          checked={draft.toolLoop}
          onChange={(toolLoop) => change({ toolLoop })}
        />
      )}
      <Switch
        label="It connects to the MCP address of each request"
        hint="The header X-Redteam-Mcp-Url. Several tasks can then run at a time."
        checked={draft.parallel}
        onChange={(parallel) => change({ parallel })}
      />
      {!draft.parallel && (
        <SandboxKey value={draft.sandboxKey} onKey={(sandboxKey) => change({ sandboxKey })} />
      )}
      <Probe draft={draft} isReady={isReady} />
      <SharingChoice
        kind="agent"
        value={draft.visibility}
        onChange={(visibility) => change({ visibility })}
      />
    </FormDialog>
  );
}

/** Sends a greeting and says in words what was found. */
function Probe({ draft, isReady }: { draft: Draft; isReady: boolean }) {
  const [asked, setAsked] = useState('');
  const connection = connectionOf(draft);
  const probe = useMutation({
    mutationFn: () => {
      setAsked(JSON.stringify(connection));
      return redTeam.testAgent({ body: connection });
    },
  });
  // An answer to other fields says nothing about these.
  const isCurrent = asked === JSON.stringify(connection);
  return (
    <div className="grid gap-2">
      <div>
        <Button busy={probe.isPending} disabled={!isReady} onClick={() => probe.mutate()}>
          Send a greeting
        </Button>
      </div>
      {probe.isError && isCurrent && <Failure error={probe.error} />}
      {probe.data !== undefined && isCurrent && (
        <div role="status" className="rounded-lg bg-raised p-3 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={probe.data.protocol === null ? 'flag' : 'good'}>
              {probe.data.protocol === null ? 'not understood' : protocolNames[probe.data.protocol]}
            </Badge>
            <span className="break-words">{probe.data.message}</span>
          </p>
          {probe.data.reply !== null && (
            <p className="mt-1 break-words text-ink-soft">It replied: {probe.data.reply}</p>
          )}
        </div>
      )}
    </div>
  );
}
