import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mcpScan, scanKey, type Batch } from '../../api/mcp-scan.ts';
import { Switch, TextArea, TextField } from '../../parts/field.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { Form } from '../../parts/form.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';

const example = `{
  "mcpServers": {
    "weather": { "url": "https://weather.example/mcp" },
    "files": { "command": "npx", "args": ["-y", "@example/files@1.2.3"] }
  }
}`;

/** Opens a scan that was just made. */
function useOpenScan() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (scanId: number) => {
    await queries.invalidateQueries({ queryKey: scanKey });
    await navigate({ to: '/mcp-scans/$scanId', params: { scanId: String(scanId) } });
  };
}

/** What can be scanned, a tab each. */
export function NewScanPage() {
  return (
    <>
      <PageHead
        list={{ to: '/mcp-scans', name: 'Scans' }}
        title="New scan"
        lead="Source is never run, and tools are never called. Nothing that is scanned leaves this installation."
      />
      <Tabs
        label="What is scanned"
        parts={[
          { value: 'archive', name: 'Archive', content: () => <FromArchive /> },
          { value: 'repository', name: 'Repository', content: () => <FromRepository /> },
          { value: 'configuration', name: 'Configuration', content: () => <FromConfiguration /> },
          { value: 'server', name: 'Running server', content: () => <FromServer /> },
        ]}
      />
    </>
  );
}

const megabyte = 1_048_576;

function FromArchive() {
  const open = useOpenScan();
  const upload = useMutation({
    mutationFn: (file: File) => mcpScan.processFile({ body: { file } }),
    onSuccess: ({ scan_id: scanId }) => open(scanId),
  });
  return (
    <div className="max-w-2xl">
      {upload.isError && (
        <div className="mb-4">
          <Failure error={upload.error} />
        </div>
      )}
      {upload.isPending ? (
        <Panel
          title={`Sending ${upload.variables.name}`}
          note={`${(upload.variables.size / megabyte).toFixed(1)} MB`}
        >
          <progress aria-label="Sending the archive" className="h-2 w-full accent-(--accent)" />
        </Panel>
      ) : (
        <FileDrop
          label="Drop the source of a server here, or choose it"
          hint="A zip, tar or tar.gz of up to 100 MB: TypeScript, JavaScript, Python, Go, Java or Rust."
          accept=".zip,.tar,.gz,.tgz,application/zip"
          onFiles={([file]) => {
            if (file !== undefined) upload.mutate(file);
          }}
        />
      )}
    </div>
  );
}

function FromRepository() {
  const open = useOpenScan();
  const [url, setUrl] = useState('');
  const [revision, setRevision] = useState('');
  const [publish, setPublish] = useState(false);
  return (
    <Panel className="max-w-2xl">
      <Form
        action="Scan the repository"
        ready={url.trim() !== ''}
        run={() => mcpScan.processRepository({ body: { github_url: url.trim(), revision, publish } })}
        onDone={({ scan_id: scanId }) => open(scanId)}
      >
        <TextField
          label="Address of a public repository"
          placeholder="https://github.com/owner/server"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          required
        />
        <TextField
          label="Branch, tag or commit"
          placeholder="the default branch"
          value={revision}
          onChange={({ target }) => setRevision(target.value)}
        />
        <Switch
          label="Show it on the leaderboard"
          hint="Anybody who reaches this installation sees its ratings and counts there, without signing in. Only the newest commit of the default branch is listed, and suppressed findings count."
          checked={publish}
          onChange={setPublish}
        />
      </Form>
    </Panel>
  );
}

function FromConfiguration() {
  const [text, setText] = useState('');
  const [made, setMade] = useState<Batch>();
  const run = async () => {
    let body: Parameters<typeof mcpScan.processConfig>[0]['body'];
    try {
      body = JSON.parse(text) as typeof body;
    } catch {
      throw new Error('This is not JSON. Paste the whole file, such as mcp.json.');
    }
    return mcpScan.processConfig({ body });
  };
  return (
    <div className="grid max-w-2xl gap-6">
      <Panel note="Tools are listed and never called. Commands run in a sandbox, or not at all where none can be made.">
        <Form
          action="Scan its servers"
          ready={text.trim() !== ''}
          run={run}
          changes={scanKey}
          onDone={setMade}
        >
          <TextArea
            label="MCP configuration"
            hint="As clients keep it: mcpServers, or mcp with servers. Values of env and headers are stored encrypted and never shown."
            rows={10}
            className="font-mono text-[13px]"
            placeholder={example}
            value={text}
            onChange={({ target }) => setText(target.value)}
            spellCheck={false}
          />
        </Form>
      </Panel>
      {made !== undefined && <Made batch={made} />}
    </div>
  );
}

/** One line for each server: its scan, or why there is none. */
const Made = ({ batch }: { batch: Batch }) => (
  <Panel title={`${batch.successful} of ${batch.total} servers are scanned`}>
    <ul className="grid gap-2 text-sm" aria-live="polite">
      {batch.scans.map(({ scan_id: id, server_name: name }) => (
        <li key={id}>
          <Link
            to="/mcp-scans/$scanId"
            params={{ scanId: String(id) }}
            className="font-medium text-accent underline"
          >
            {name}
          </Link>
        </li>
      ))}
      {batch.failed_repos.map(({ server_name: name, error }) => (
        <li key={name} className="break-words text-flag">
          {error}
        </li>
      ))}
    </ul>
  </Panel>
);

function FromServer() {
  const open = useOpenScan();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const run = async () => {
    const server = name.trim() || (URL.canParse(url) ? new URL(url).host : 'server');
    if (token !== '') {
      const { scan_id: scanId } = await mcpScan.processConfigWithAuth({
        headers: { 'X-MCP-Auth-Token': token },
        body: { server_name: server, server_config: { url: url.trim() } },
      });
      return scanId;
    }
    const { scans, failed_repos: failed } = await mcpScan.processConfig({
      body: { mcpServers: { [server]: { url: url.trim() } } },
    });
    const [scan] = scans;
    if (scan === undefined) throw new Error(failed[0]?.error ?? 'The server was refused.');
    return scan.scan_id;
  };
  return (
    <Panel className="max-w-2xl">
      <Form action="Scan the server" ready={url.trim() !== ''} run={run} onDone={open}>
        <TextField
          label="Address of the MCP endpoint"
          placeholder="https://weather.example/mcp"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          required
        />
        <TextField
          label="Name"
          placeholder="its host"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={200}
        />
        <TextField
          label="Access token"
          type="password"
          autoComplete="off"
          hint="Only where it wants one. It is deleted when the scan has ended."
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      </Form>
    </Panel>
  );
}
