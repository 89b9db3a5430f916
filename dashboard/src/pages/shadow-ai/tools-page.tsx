import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { shadowAi, shadowAiKey, type FoundTool } from '../../api/shadow-ai.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useUser } from '../../session/use-session.ts';
import { AllowTool } from './allow-tool.tsx';
import { DaysChart } from './days-chart.tsx';
import { SeverityBadge } from './severity-badge.tsx';
import { useWindow } from './window.tsx';

const column = columnsOf<FoundTool>();

/** The detected tools, those on most devices first. */
export function ToolsPage() {
  const navigate = useNavigate();
  const { days, start, field } = useWindow();
  const { isAdmin } = useUser();
  const [deciding, setDeciding] = useState<FoundTool>();
  const query = useQuery({
    queryKey: [...shadowAiKey, 'tools', days],
    queryFn: async () => {
      const start_date = start();
      const [found, stats] = await Promise.all([
        shadowAi.listTools({ query: { start_date } }),
        shadowAi.getDetectionStats({ query: { start_date } }),
      ]);
      return { ...found, stats };
    },
    placeholderData: (previous) => previous,
  });
  const columns = column.columns([
    column.display({
      id: 'tool',
      header: 'Tool',
      cell: ({ row: { original } }) => (
        <Link
          to="/ai-detections"
          search={{ tool: original.agent_framework, ...(days !== '14' && { days }) }}
          className="font-medium hover:underline"
        >
          {original.name}
        </Link>
      ),
    }),
    column.display({
      id: 'severity',
      header: 'Severity',
      cell: ({ row }) => <SeverityBadge severity={row.original.severity} />,
    }),
    column.display({ id: '#devices', header: 'Devices', cell: ({ row }) => count(row.original.devices) }),
    column.display({ id: '#people', header: 'People', cell: ({ row }) => count(row.original.people) }),
    column.display({ id: '#found', header: 'Detections', cell: ({ row }) => count(row.original.detections) }),
    column.display({
      id: 'trend',
      header: 'By day',
      cell: ({ row }) => <Sparkline of={row.original.trend} />,
    }),
    column.display({
      id: 'last',
      header: 'Last seen',
      cell: ({ row }) => <Ago at={row.original.last_seen} />,
    }),
    column.display({
      id: 'allowed',
      header: 'Allowed',
      cell: ({ row: { original } }) => (
        <Allowed tool={original} onDecide={isAdmin ? setDeciding : undefined} />
      ),
    }),
  ]);
  return (
    <>
      <PageHead
        title="AI tools"
        lead="Which AI tools run on the devices of your organisation, on how many, and whether they are allowed."
        actions={field}
      />
      <QueryView query={query}>
        {({ tools, stats, window_end: end }) =>
          tools.length === 0 ? (
            <Empty
              icon={ScanSearch}
              title="No AI tool was found"
              action={<Button onClick={() => void navigate({ to: '/ai-sources' })}>Connect a source</Button>}
            >
              {stats.active_devices_monitored === 0
                ? 'No device has reported within this window. Connect your endpoint security, or try the simulator: npx bulwark shadow-ai simulate --scenario fleet --connect --once'
                : `${stats.active_devices_monitored} devices have reported, and none of them runs a known tool.`}
            </Empty>
          ) : (
            <div className="grid gap-6">
              <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
                <Figure name="Tools" value={count(tools.length)} />
                <Figure name="Not allowed" value={count(tools.filter((tool) => !tool.sanctioned).length)} />
                <Figure name="Detections" value={count(stats.total_detections)} />
                <Figure name="Devices that reported" value={count(stats.active_devices_monitored)} />
              </dl>
              <Panel title="Detections by day" note="Days are of UTC.">
                <DaysChart end={end} days={daysOf(tools)} />
              </Panel>
              <DataTable
                label="AI tools"
                columns={columns}
                rows={tools}
                rowKey={(row) => row.agent_framework}
              />
            </div>
          )
        }
      </QueryView>
      {deciding !== undefined && <AllowTool tool={deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

/** Daily detections of all tools together. */
const daysOf = (tools: readonly FoundTool[]) =>
  (tools[0]?.trend ?? []).map((_, day) => {
    const sum = (sanctioned: boolean) =>
      tools.reduce((total, tool) => total + (tool.sanctioned === sanctioned ? (tool.trend[day] ?? 0) : 0), 0);
    return { other: sum(false), allowed: sum(true) };
  });

function Sparkline({ of }: { of: readonly number[] }) {
  const most = Math.max(1, ...of);
  return (
    <span
      className="flex h-5 w-24 items-end gap-px"
      role="img"
      aria-label={`${of.at(-1) ?? 0} on the last day, at most ${Math.max(0, ...of)} on a day`}
    >
      {of.map((value, day) => (
        <span
          key={day}
          className="min-w-0 flex-1 rounded-t-[1px] bg-(--series-1)/60"
          style={{ height: `${value === 0 ? 4 : 12 + (value / most) * 88}%` }}
        />
      ))}
    </span>
  );
}

function Allowed({ tool, onDecide }: { tool: FoundTool; onDecide: ((tool: FoundTool) => void) | undefined }) {
  const badge = tool.sanctioned ? (
    <Badge tone="good">allowed</Badge>
  ) : tool.allowed === null ? (
    <span className="text-ink-soft">no</span>
  ) : (
    <Badge tone="warn">ended</Badge>
  );
  return (
    // The button is taller than the line: it must not push the word below those of the other columns.
    <span className="-my-1.5 flex items-center gap-2">
      {badge}
      {onDecide !== undefined && (
        <Button size="small" kind="quiet" onClick={() => onDecide(tool)}>
          {tool.sanctioned ? 'Change' : 'Allow'}
        </Button>
      )}
    </span>
  );
}
