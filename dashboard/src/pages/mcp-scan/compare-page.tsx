import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { mcpScan, scanKey, type Comparison, type Finding } from '../../api/mcp-scan.ts';
import { SelectField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { FindingCard } from './finding-card.tsx';
import { ToolChanges } from './tool-changes.tsx';

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Two scans side by side: what is new, what is fixed, what stayed. */
export function ComparePage() {
  const [before, setBefore] = useAddress('before');
  const [after, setAfter] = useAddress('after');
  const scans = useQuery({
    queryKey: [...scanKey, 'completed'],
    queryFn: () => mcpScan.listScans({ query: { page_size: 100, status: 'completed' } }),
  });
  const options = [
    { value: '', label: 'Choose a scan' },
    ...(scans.data?.scans ?? []).map(({ id, filename, upload_time: at }) => ({
      value: String(id),
      label: `${filename} · ${exact.format(new Date(at))} · #${id}`,
    })),
  ];
  return (
    <>
      <PageHead
        list={{ to: '/mcp-scans', name: 'Scans' }}
        title="Compare two scans"
        lead="A finding that has only moved to another line is the same finding."
      />
      <div className="mb-6 grid gap-3 sm:grid-cols-2">
        <SelectField label="Before" value={before} options={options} onChoice={setBefore} />
        <SelectField label="After" value={after} options={options} onChoice={setAfter} />
      </div>
      {before === '' || after === '' ? (
        <Empty icon={GitCompareArrows} title="Two scans are needed">
          Choose the earlier one and the later one. Only completed scans can be compared.
        </Empty>
      ) : (
        <Compared before={Number(before)} after={Number(after)} />
      )}
    </>
  );
}

function Compared({ before, after }: { before: number; after: number }) {
  const query = useQuery({
    queryKey: [...scanKey, 'compare', before, after],
    queryFn: () => mcpScan.compareScans({ query: { before, after } }),
    retry: false,
  });
  return <QueryView query={query}>{(comparison) => <Parts comparison={comparison} />}</QueryView>;
}

/** The first part that has something is open. */
const partWithSomething = ({ new: added, fixed, unchanged }: Comparison) =>
  added.length > 0 ? 'new' : fixed.length > 0 ? 'fixed' : unchanged.length > 0 ? 'unchanged' : 'new';

const Parts = ({ comparison }: { comparison: Comparison }) => (
  <Tabs
    label="Differences"
    first={partWithSomething(comparison)}
    parts={[
      {
        value: 'new',
        name: `New (${comparison.new.length})`,
        content: () => <Findings title="New" findings={comparison.new} none="Nothing new was found." />,
      },
      {
        value: 'fixed',
        name: `Fixed (${comparison.fixed.length})`,
        content: () => <Findings title="Fixed" findings={comparison.fixed} none="Nothing is gone." />,
      },
      {
        value: 'unchanged',
        name: `Unchanged (${comparison.unchanged.length})`,
        content: () => (
          <Findings title="Unchanged" findings={comparison.unchanged} none="Nothing stayed as it was." />
        ),
      },
      {
        value: 'tools',
        name: `Tools (${comparison.tools.length})`,
        content: () =>
          comparison.tools.length === 0 ? (
            <p className="text-sm text-ink-soft">No tool has changed.</p>
          ) : (
            <>
              <h2 className="sr-only">Tools</h2>
              <ToolChanges changes={comparison.tools} />
            </>
          ),
      },
    ]}
  />
);

const Findings = ({ title, findings, none }: { title: string; findings: readonly Finding[]; none: string }) =>
  findings.length === 0 ? (
    <p className="text-sm text-ink-soft">{none}</p>
  ) : (
    <>
      <h2 className="sr-only">{title}</h2>
      <ul className="grid gap-3">
        {findings.map((finding) => (
          <FindingCard key={finding.id} finding={finding} />
        ))}
      </ul>
    </>
  );
