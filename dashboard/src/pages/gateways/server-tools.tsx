import { useMutation } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, type ServerDetail, type Tool } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Raw } from '../../parts/facts.tsx';
import { JsonEditor } from '../../parts/json-editor.tsx';
import { Panel } from '../../parts/page.tsx';
import { Failure, LoadingRows } from '../../parts/states.tsx';
import { exampleArguments } from './example-arguments.ts';
import type { Discovery } from './use-discovery.ts';

/** What the server offers: each tool with its schema, and a form to try it. */
export const ServerTools = ({
  server,
  discovery,
  mayCall,
}: {
  server: ServerDetail;
  discovery: Discovery;
  mayCall: boolean;
}) => (
  <Panel title={server.tools.length === 1 ? '1 tool' : `${server.tools.length} tools`}>
    {discovery.error !== null && (
      <div className="mb-4">
        <Failure error={discovery.error} retry={discovery.ask} />
      </div>
    )}
    {server.tools.length === 0 &&
      (discovery.isPending ? (
        <LoadingRows rows={3} />
      ) : (
        <p className="text-sm text-ink-soft">No tools known yet: ask the server for them.</p>
      ))}
    <ul className="divide-y divide-line">
      {server.tools.map((tool, i) => (
        <ToolItem
          key={tool.name}
          serverId={server.id}
          tool={tool}
          mayCall={mayCall}
          // A new server is tried at once.
          beginsOpen={discovery.isNew && i === 0}
        />
      ))}
    </ul>
  </Panel>
);

function ToolItem({
  serverId,
  tool,
  mayCall,
  beginsOpen,
}: {
  serverId: string;
  tool: Tool;
  mayCall: boolean;
  beginsOpen: boolean;
}) {
  const [isOpen, setIsOpen] = useState(beginsOpen);
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="group flex cursor-pointer items-start gap-2">
          <ChevronRight
            className="mt-0.5 size-4 shrink-0 text-ink-soft transition-transform in-open:rotate-90"
            aria-hidden
          />
          <span className="min-w-0">
            <code className="font-mono text-sm font-medium break-words">{tool.name}</code>
            {tool.description !== undefined && (
              <span className="block text-[13px] text-ink-soft">{tool.description}</span>
            )}
          </span>
        </summary>
        {isOpen && (
          <div className="mt-3 grid grid-cols-1 gap-3">
            {mayCall && <Trial serverId={serverId} tool={tool} />}
            <details>
              <summary className="cursor-pointer text-[13px] text-ink-soft">Schema of its arguments</summary>
              <Raw className="mt-2">{JSON.stringify(tool.inputSchema, null, 2)}</Raw>
            </details>
          </div>
        )}
      </details>
    </li>
  );
}

/** Calls the tool with arguments that begin as an example of its schema. */
function Trial({ serverId, tool }: { serverId: string; tool: Tool }) {
  const [initial] = useState(() => JSON.stringify(exampleArguments(tool.inputSchema), null, 2));
  const [args, setArgs] = useState(initial);
  const call = useMutation({
    mutationFn: () =>
      agentGateway.callTool({
        params: { server_id: serverId },
        body: { name: tool.name, arguments: JSON.parse(args) as Record<string, unknown> },
      }),
  });
  return (
    <>
      <JsonEditor label={`Arguments of ${tool.name}`} initial={initial} onChange={setArgs} />
      <p className="flex items-center gap-3">
        <Button size="small" busy={call.isPending} onClick={() => call.mutate()}>
          Try it
        </Button>
        <span className="text-[13px] text-ink-soft">
          The server is called directly: no guard checks the call.
        </span>
      </p>
      {call.isError && <Failure error={call.error} />}
      {call.data !== undefined && (
        <div role="status">
          {call.data.isError ? <Badge tone="flag">error</Badge> : <Badge tone="good">answered</Badge>}
          <Raw className="mt-2">
            {call.data.content.map(({ text, type }) => text ?? `[${type}]`).join('\n')}
          </Raw>
        </div>
      )}
    </>
  );
}
