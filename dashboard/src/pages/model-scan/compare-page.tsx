import { useQueries, useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { listScans, modelScan, modelScanKey, type Scan, type Summary } from '../../api/model-scan.ts';
import { SelectField } from '../../parts/field.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, Failure, LoadingRows } from '../../parts/states.tsx';
import { SvgChart } from '../../parts/svg-chart.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { ChangeTable } from './score-tables.tsx';
import { RiskBadge } from './status-badge.tsx';

const list = { to: '/model-scans', name: 'Model scans' } as const;

/** Two finished scans beside each other. */
export function CompareScansPage() {
  const query = useQuery({
    queryKey: [...modelScanKey, 'scans', 'all'],
    queryFn: () => listScans('all'),
  });
  return (
    <>
      <PageHead
        list={list}
        title="Compare scans"
        lead="What has changed between two finished scans, such as before and after a new version of a model."
      />
      <QueryView query={query}>
        {(scans) => <Choice scans={scans.filter(({ status }) => status === 'Finished')} />}
      </QueryView>
    </>
  );
}

function Choice({ scans }: { scans: readonly Scan[] }) {
  const [before, setBefore] = useAddress('before');
  const [after, setAfter] = useAddress('after');
  const options = [
    { value: '', label: 'Choose a scan' },
    ...scans.map(({ scan_id: value, scan_name: name, model_name: model }) => ({
      value,
      label: `${name} (${model})`,
    })),
  ];
  return (
    <>
      <div className="mb-6 grid gap-3 sm:grid-cols-2">
        <SelectField label="Before" value={before} options={options} onChoice={setBefore} />
        <SelectField label="After" value={after} options={options} onChoice={setAfter} />
      </div>
      {before === '' || after === '' ? (
        <Empty icon={GitCompareArrows} title="Choose two scans">
          Scans with the same seed tried the attacks on the same cases.
        </Empty>
      ) : (
        <Compared ids={[before, after]} />
      )}
    </>
  );
}

function Compared({ ids }: { ids: readonly [string, string] }) {
  const [one, other] = useQueries({
    queries: ids.map((scanId) => ({
      queryKey: [...modelScanKey, 'summary', scanId],
      queryFn: () => modelScan.getSummary({ body: { scan_id: scanId } }),
      staleTime: Infinity,
    })),
  });
  const error = one?.error ?? other?.error;
  if (error) return <Failure error={error} />;
  if (one?.data === undefined || other?.data === undefined) return <LoadingRows />;
  return <Changes before={one.data} after={other.data} />;
}

const rowsOf = (before: Record<string, number>, after: Record<string, number>) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name: name === 'Default' ? 'No attack' : name,
    before: before[name],
    after: after[name],
  }));

function Changes({ before, after }: { before: Summary; after: Summary }) {
  const isWorse = after.intervals.passed.interval.high < before.intervals.passed.interval.low;
  const isBetter = after.intervals.passed.interval.low > before.intervals.passed.interval.high;
  const radar = useMemo(() => {
    const axes = Object.keys(before.averages).filter((name) => name in after.averages);
    const valuesOf = ({ averages }: Summary) => axes.map((name) => averages[name] ?? 0);
    return {
      kind: 'radar' as const,
      title: 'Mean scores of both scans',
      axes,
      series: [
        { name: 'Before', values: valuesOf(before) },
        { name: 'After', values: valuesOf(after) },
      ],
      max: 100,
      format: 'number' as const,
    };
  }, [before, after]);
  return (
    <div className="grid gap-6">
      <Panel title="In short">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          Average score {before.avg_score.toFixed(1)} → {after.avg_score.toFixed(1)}
          <RiskBadge level={before.risk_level} /> → <RiskBadge level={after.risk_level} />
        </p>
        <p className="mt-2 text-sm text-ink-soft">
          {isWorse
            ? 'The later scan is clearly worse: the intervals of what passed do not overlap.'
            : isBetter
              ? 'The later scan is clearly better: the intervals of what passed do not overlap.'
              : 'The intervals of what passed overlap: the difference may be chance.'}
          {before.method.seed !== after.method.seed &&
            ' The scans have different seeds: attacks were tried on other cases.'}
        </p>
      </Panel>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Panel title="Data sets">
          {radar.axes.length >= 3 && <SvgChart chart={radar} />}
          <ChangeTable label="Changes by data set" rows={rowsOf(before.averages, after.averages)} />
        </Panel>
        <Panel title="Attacks">
          <ChangeTable
            label="Changes by attack"
            rows={rowsOf(before.averages_attack, after.averages_attack)}
          />
        </Panel>
      </div>
    </div>
  );
}
