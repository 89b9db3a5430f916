import { useQuery } from '@tanstack/react-query';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** What to enter into an agent that has one fixed MCP server. */
export function McpAddresses() {
  const query = useQuery({
    queryKey: [...redTeamKey, 'mcp-config'],
    queryFn: () => redTeam.getMcpConfig({}),
    staleTime: Infinity,
  });
  return (
    <Panel title="MCP addresses" note="For agents whose MCP server is part of their configuration.">
      <QueryView query={query}>
        {(config) => (
          <div className="grid gap-3 text-sm">
            {(
              [
                ['Streamable HTTP', config.streamable_http_url],
                ['Server-sent events', config.sse_url],
              ] as const
            ).map(([name, url]) => (
              <div key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="w-40 text-ink-soft">{name}</span>
                <code className="min-w-0 font-mono text-[13px] break-all">{url}</code>
                <CopyButton small text={url} of={`the address for ${name}`} />
              </div>
            ))}
            <p className="max-w-[80ch] text-ink-soft">{config.note}</p>
          </div>
        )}
      </QueryView>
    </Panel>
  );
}
