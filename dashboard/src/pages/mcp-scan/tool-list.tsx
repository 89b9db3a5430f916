import { useQuery } from '@tanstack/react-query';
import { Wrench } from 'lucide-react';
import { mcpScan, scanKey, type Scan, type ScannedTool, type ToolVerdict } from '../../api/mcp-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { Raw } from '../../parts/facts.tsx';
import { Empty } from '../../parts/states.tsx';
import { ToolChanges } from './tool-changes.tsx';

/** What the server offers, with the verdict on each description, and what has changed since the scan before. */
export function ToolList({ scan }: { scan: Scan }) {
  const { tools = [], textguard_results: verdicts = [] } = scan.result_data ?? {};
  const parent = scan.parent_scan_id;
  const comparison = useQuery({
    queryKey: [...scanKey, 'compare', parent, scan.id],
    queryFn: () => mcpScan.compareScans({ query: { before: parent ?? 0, after: scan.id } }),
    enabled: parent !== null,
    retry: false,
  });
  const changes = comparison.data?.tools ?? [];
  if (tools.length === 0 && changes.length === 0)
    return (
      <Empty icon={Wrench} title="No tool was seen">
        Neither the source nor a server has offered any.
      </Empty>
    );
  // Verdicts stand in the order of the tools.
  const rows = tools.map((tool, at) => ({
    tool,
    verdict: verdicts[at],
    key: `${tool.kind} ${tool.name} ${at}`,
  }));
  const order = ({ verdict }: { verdict: ToolVerdict | undefined }) =>
    verdict?.result.flagged === true ? 0 : 1;
  return (
    <div className="grid gap-6">
      {changes.length > 0 && (
        <section aria-labelledby="changed">
          <h2 id="changed" className="mb-3 font-semibold tracking-tight">
            Changed since the scan before
          </h2>
          <ToolChanges changes={changes} />
        </section>
      )}
      <h2 className="sr-only">Tools</h2>
      <ul className="grid gap-3" aria-label="Tools">
        {rows
          .toSorted((a, b) => order(a) - order(b))
          .map(({ tool, verdict, key }) => (
            <Tool key={key} tool={tool} verdict={verdict} />
          ))}
      </ul>
    </div>
  );
}

/** A flow takes several tools: it flags none of them by itself. */
const isFlow = (category: string) => category.endsWith('Toxic Flow');

function Categories({ verdict: { result } }: { verdict: ToolVerdict }) {
  if (result.categories.length === 0) return <Badge tone="good">nothing suspicious</Badge>;
  return result.categories.map((category) => (
    <Badge key={category} tone={isFlow(category) ? 'warn' : 'flag'}>
      {category}
    </Badge>
  ));
}

function Tool({ tool, verdict }: { tool: ScannedTool; verdict: ToolVerdict | undefined }) {
  const { name, kind, description, file, line } = tool;
  const explained = Object.entries(verdict?.result.explanation ?? {});
  return (
    <li className="min-w-0 rounded-xl border border-line bg-panel p-5 shadow-panel">
      <h3 className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-sm font-medium break-all">{name}</span>
        <Badge>{kind}</Badge>
        {verdict !== undefined && <Categories verdict={verdict} />}
      </h3>
      {file !== null && (
        <p className="mt-0.5 font-mono text-[13px] break-all text-ink-soft">
          {file}
          {line !== null && `:${line}`}
        </p>
      )}
      {description !== '' && (
        <Raw className="mt-3" heightPx={192}>
          {description}
        </Raw>
      )}
      {explained.length > 0 && (
        <dl className="mt-3 grid gap-1 text-sm">
          {explained.map(([category, text]) => (
            <div key={category}>
              <dt className="inline font-medium">{category}: </dt>
              <dd className="inline break-words">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
