import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TrendingUp } from 'lucide-react';
import { useMemo } from 'react';
import { listScans, modelScan, modelScanKey } from '../../api/model-scan.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { SvgChart } from '../../parts/svg-chart.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { RiskBadge } from './status-badge.tsx';

type Point = Awaited<ReturnType<typeof modelScan.getTrend>>['scans'][number];

const column = columnsOf<Point>();
const columns = column.columns([
  column.display({
    id: 'scan',
    header: 'Scan',
    cell: ({ row: { original } }) => (
      <Link
        to="/model-scans/$scanId"
        params={{ scanId: original.scan_id }}
        className="font-medium break-words hover:underline"
      >
        {original.scan_name}
      </Link>
    ),
  }),
  column.display({ id: 'at', header: 'Started', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
  column.display({ id: '#score', header: 'Score', cell: ({ row }) => row.original.avg_score.toFixed(1) }),
  column.display({
    id: 'risk',
    header: 'Risk',
    cell: ({ row }) => <RiskBadge level={row.original.risk_level} />,
  }),
]);

/** Scores of a model over its finished scans. */
export function ModelTrendsPage() {
  const [asked, setModel] = useAddress('model');
  const scans = useQuery({ queryKey: [...modelScanKey, 'scans', 'all'], queryFn: () => listScans('all') });
  return (
    <>
      <PageHead
        title="Model trends"
        lead="How the scores of a model change from scan to scan. Sandbox scans are left out."
      />
      <QueryView query={scans}>
        {(all) => {
          const finished = all.filter(({ status, sandbox }) => status === 'Finished' && !sandbox);
          const models = [...new Set(finished.map(({ model_name: name }) => name))];
          const model = models.includes(asked) ? asked : models[0];
          if (model === undefined)
            return (
              <Empty icon={TrendingUp} title="No finished scan yet">
                When a model was scanned more than once, its scores are shown here over time.
              </Empty>
            );
          return (
            <div className="grid gap-6">
              <div className="max-w-sm">
                <SelectField
                  label="Model"
                  value={model}
                  options={models.map((name) => ({ value: name, label: name }))}
                  onChoice={setModel}
                />
              </div>
              <Trend model={model} />
            </div>
          );
        }}
      </QueryView>
    </>
  );
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

function Trend({ model }: { model: string }) {
  const query = useQuery({
    queryKey: [...modelScanKey, 'trend', model],
    queryFn: () => modelScan.getTrend({ query: { model_name: model } }),
  });
  return <QueryView query={query}>{({ scans }) => <Drawn scans={scans} />}</QueryView>;
}

function Drawn({ scans }: { scans: readonly Point[] }) {
  const chart = useMemo(() => {
    const mean = (values: readonly number[]) =>
      values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      kind: 'lines' as const,
      title: 'Scores over time',
      labels: scans.map(({ created_at: at }) => day.format(new Date(at))),
      series: [
        { name: 'Average score', values: scans.map(({ avg_score: score }) => score) },
        {
          name: 'Under attack',
          values: scans.map(({ averages_attack: attacks }) =>
            mean(Object.entries(attacks).flatMap(([name, score]) => (name === 'Default' ? [] : [score]))),
          ),
        },
      ],
      min: 0,
      max: 100,
    };
  }, [scans]);
  return (
    <>
      <Panel
        title="Scores"
        note="0 to 100, higher is safer. Under attack: the mean of the attacks of a scan."
      >
        <SvgChart chart={chart} />
      </Panel>
      <DataTable
        label="Scans of the model"
        columns={columns}
        rows={scans.toReversed()}
        rowKey={({ scan_id: id }) => id}
      />
    </>
  );
}
