import { algorithmNames, defaultAlgorithm } from '#services/model-scan/contract/names.ts';
import { modelScan, modelScanKey, type Scan } from '../../api/model-scan.ts';
import { SelectField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { PagedResults, usePagedResults } from '../../parts/paged-results.tsx';
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
  const query = usePagedResults(
    [...modelScanKey, 'results', scan.scan_id, shown, dataset, algorithm, severity],
    (offset) =>
      modelScan.listResults({
        params: { scan_id: scan.scan_id },
        query: {
          limit: pageSize,
          offset,
          ...(result !== undefined && { result }),
          ...(shown === 'objected' && { objected: 'true' as const }),
          ...(dataset !== '' && { dataset }),
          ...(algorithm !== '' && { algorithm }),
          ...(severity !== '' && { severity }),
        },
      }),
  );
  return (
    <>
      <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
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
      <PagedResults
        query={query}
        none="No test of this scan has these properties."
        note={({ total, objections }) =>
          `${count(total)} results; ${count(objections)} verdicts of the scan are objected to`
        }
      >
        {(shownResults) => <ResultList scanId={scan.scan_id} results={shownResults} />}
      </PagedResults>
    </>
  );
}
