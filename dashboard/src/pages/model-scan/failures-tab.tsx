import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { algorithmNames, defaultAlgorithm } from '#services/model-scan/contract/names.ts';
import { modelScan, modelScanKey, type Scan } from '../../api/model-scan.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { ResultList } from './result-list.tsx';
import { useScanParts } from './use-scan-parts.ts';

const results = ['failed', 'partial', 'passed', 'unassessed'] as const;
const resultOptions = [
  { value: 'failed', label: 'Failed' },
  { value: 'partial', label: 'Partly' },
  { value: 'passed', label: 'Passed' },
  { value: 'unassessed', label: 'Not assessed' },
  { value: 'any', label: 'Any verdict' },
  { value: 'objected', label: 'Objected to' },
] as const;
const severities = ['', 'critical', 'high', 'medium', 'low'].map((value) => ({
  value,
  label: value === '' ? 'Any severity' : value,
}));
const pageSize = 30;

/** All results of a scan by verdict, data set, attack and severity; failures first. */
export function FailuresTab({ scan }: { scan: Scan }) {
  const [kept, setResult] = useAddress('outcome');
  const [dataset, setDataset] = useAddress('dataset');
  const [algorithm, setAlgorithm] = useAddress('algorithm');
  const [severity, setSeverity] = useAddress('severity');
  const shown = resultOptions.find(({ value }) => value === kept)?.value ?? 'failed';
  const result = results.find((each) => each === shown);
  const parts = useScanParts(scan.scan_id);
  const query = useInfiniteQuery({
    queryKey: [...modelScanKey, 'results', scan.scan_id, shown, dataset, algorithm, severity],
    queryFn: ({ pageParam }) =>
      modelScan.listResults({
        params: { scan_id: scan.scan_id },
        query: {
          limit: pageSize,
          offset: pageParam,
          ...(result !== undefined && { result }),
          ...(shown === 'objected' && { objected: 'true' as const }),
          ...(dataset !== '' && { dataset }),
          ...(algorithm !== '' && { algorithm }),
          ...(severity !== '' && { severity }),
        },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const listed = pages.reduce((sum, page) => sum + page.results.length, 0);
      return listed < total ? listed : undefined;
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="mb-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField label="Verdict" value={shown} options={resultOptions} onChoice={setResult} />
        <SelectField
          label="Data set"
          value={dataset}
          options={[
            { value: '', label: 'All data sets' },
            ...parts.dataSets.map((name) => ({ value: name, label: name })),
          ]}
          onChoice={setDataset}
        />
        <SelectField
          label="Attack"
          value={algorithm}
          options={[
            { value: '', label: 'With and without' },
            ...[defaultAlgorithm, ...algorithmNames].map((name) => ({
              value: name,
              label: name === defaultAlgorithm ? 'None' : name,
            })),
          ]}
          onChoice={setAlgorithm}
        />
        <SelectField label="Severity" value={severity} options={severities} onChoice={setSeverity} />
      </div>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.results);
          const last = pages.at(-1);
          if (rows.length === 0)
            return (
              <Empty icon={ListFilter} title="No such result">
                No test of this scan has these properties.
              </Empty>
            );
          return (
            <>
              <p className="mb-2 text-[13px] text-ink-soft">
                {count(last?.total ?? 0)} results; {count(last?.objections ?? 0)} verdicts of the scan are
                objected to
              </p>
              <ResultList scanId={scan.scan_id} results={rows} />
              {query.hasNextPage && (
                <Button className="mt-3" busy={query.isFetching} onClick={() => void query.fetchNextPage()}>
                  More
                </Button>
              )}
            </>
          );
        }}
      </QueryView>
    </>
  );
}
