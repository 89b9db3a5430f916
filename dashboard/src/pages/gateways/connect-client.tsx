import { toast } from 'sonner';
import { Link } from '@tanstack/react-router';
import type { Gateway } from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useGatewayStatus } from './gateway-status-badge.tsx';

const keyPlace = '<your API key>';

/** What to paste, for clients as they are configured. */
const configurations = (name: string, url: string) => {
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const headers = { 'X-API-Key': keyPlace };
  return [
    {
      client: 'Clients with mcpServers and HTTP',
      text: JSON.stringify({ mcpServers: { [slug]: { type: 'http', url, headers } } }, null, 2),
    },
    {
      client: 'VS Code (.vscode/mcp.json)',
      text: JSON.stringify({ servers: { [slug]: { type: 'http', url, headers } } }, null, 2),
    },
    {
      client: 'Clients that start a command',
      text: JSON.stringify(
        {
          mcpServers: {
            [slug]: { command: 'npx', args: ['-y', 'mcp-remote', url, '--header', `X-API-Key:${keyPlace}`] },
          },
        },
        null,
        2,
      ),
    },
  ];
};

/** The endpoint, and ready configurations. */
export function ConnectClient({ gateway }: { gateway: Gateway }) {
  const status = useGatewayStatus(gateway.id);
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(() => toast.success('Copied.'));
  return (
    <QueryView query={status}>
      {({ mcp_url: url }) => (
        <div className="grid gap-6">
          <Panel
            title="Endpoint"
            note={
              <>
                Agents send an{' '}
                <Link to="/api-keys" className="text-accent underline">
                  API key
                </Link>{' '}
                with each request.
              </>
            }
            actions={
              <Button size="small" onClick={() => copy(url)}>
                Copy
              </Button>
            }
          >
            <code className="font-mono text-sm break-all">{url}</code>
          </Panel>
          <div className="grid items-start gap-6 lg:grid-cols-2">
            {configurations(gateway.name, url).map(({ client, text }) => (
              <Panel
                key={client}
                title={client}
                actions={
                  <Button size="small" onClick={() => copy(text)} aria-label={`Copy for ${client}`}>
                    Copy
                  </Button>
                }
              >
                <pre tabIndex={0} className="overflow-x-auto rounded-lg bg-raised p-3 font-mono text-[13px]">
                  {text}
                </pre>
              </Panel>
            ))}
          </div>
        </div>
      )}
    </QueryView>
  );
}
