import { lazy, Suspense } from 'react';
import type { OptimizedPolicy } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { LoadingRows } from '../../parts/states.tsx';

const PrecisionRecall = lazy(async () => {
  const { PrecisionRecall: chart } = await import('./precision-recall.tsx');
  return { default: chart };
});

type Measures = OptimizedPolicy['before'];

interface Figure {
  readonly value: number | null;
  /** At 95 %. */
  readonly interval?: { readonly low: number; readonly high: number };
}

const rows: [string, (measures: Measures) => Figure][] = [
  ['F1', ({ f1 }) => ({ value: f1 })],
  ['Precision', ({ precision }) => ({ value: precision })],
  ['Recall', ({ recall, intervals }) => ({ value: recall, interval: intervals.recall })],
  [
    'False positives',
    ({ false_positive_rate: value, intervals }) => ({ value, interval: intervals.false_positive_rate }),
  ],
  ['AUROC', ({ auroc, intervals }) => ({ value: auroc, interval: intervals.auroc })],
];

function Shown({ figure }: { figure: Figure | null }) {
  if (figure === null || figure.value === null) return '–';
  const { value, interval } = figure;
  return (
    <>
      {value.toFixed(2)}
      {interval !== undefined && (
        <span className="block text-xs font-normal text-ink-soft">
          {interval.low.toFixed(2)} to {interval.high.toFixed(2)}
        </span>
      )}
    </>
  );
}

/** Why little can be said, or why nothing is proposed. */
function Caution({ result }: { result: OptimizedPolicy }) {
  const { examples, violating, few_examples: isFew, kept_because: why } = result;
  if (!isFew && why === null) return null;
  return (
    <div className="mb-5 grid gap-1.5 rounded-lg bg-raised px-4 py-3 text-sm">
      {why !== null && (
        <p>
          <span className="font-medium">It stays as it is.</span> {why}
        </p>
      )}
      {isFew && (
        <p>
          <span className="font-medium">Too few examples to learn from:</span> {violating} that violate and{' '}
          {examples - violating} that are safe. With fewer than ten of each nothing is learned, and the policy
          is not made to flag more, because false alarms would not show. The examples measure it all the same.
        </p>
      )}
    </div>
  );
}

/** The result of a run for one policy: figures before and after, the proposal, and changed verdicts. */
export function LabResult({ result }: { result: OptimizedPolicy }) {
  const { policy, before, after, proposal, everyday_flagged: everyday } = result;
  return (
    <Panel
      title={
        <span className="flex items-center gap-2">
          {policy} {result.improves ? <Badge tone="good">improves</Badge> : <Badge>stays as it is</Badge>}
        </span>
      }
      note={`${result.examples} examples, ${result.violating} of them violate; measured by cross-validation. The small figures are 95 % intervals: what the true figure may be, as far as so many examples tell.`}
    >
      <Caution result={result} />
      <div className="grid gap-6 lg:grid-cols-2">
        <div>
          <table className="w-full text-sm tabular-nums" aria-label={`Figures of ${policy}`}>
            <thead>
              <tr className="border-b border-line text-left text-[13px] text-ink-soft">
                <th scope="col" className="py-1.5 font-medium">
                  <span className="sr-only">Measure</span>
                </th>
                <th scope="col" className="py-1.5 text-right font-medium">
                  Before
                </th>
                <th scope="col" className="py-1.5 text-right font-medium">
                  After
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, of]) => (
                <tr key={name} className="border-b border-line last:border-0">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {name}
                  </th>
                  <td className="py-1.5 text-right text-ink-soft">
                    <Shown figure={of(before)} />
                  </td>
                  <td className="py-1.5 text-right font-medium">
                    <Shown figure={after && of(after)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-3 text-[13px] text-ink-soft">
            Of ordinary messages {share(everyday.before)} were flagged, {share(everyday.after)} would be.
          </p>
          {proposal.changes.length > 0 && (
            <>
              <h3 className="mt-4 text-sm font-medium">
                {result.improves ? 'What it changes' : 'What was tried last'}
              </h3>
              <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-sm">
                {proposal.changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            </>
          )}
        </div>
        <Suspense fallback={<LoadingRows rows={3} />}>
          <PrecisionRecall before={result.curves.before} after={result.curves.after} />
        </Suspense>
      </div>
      {result.changed_examples.length > 0 && (
        <details className="mt-5">
          <summary className="cursor-pointer text-sm font-medium">
            {result.changed_total} examples are judged differently
          </summary>
          <ul className="mt-3 grid gap-2 text-sm">
            {result.changed_examples.map((example) => (
              <li key={example.text} className="grid grid-cols-[minmax(0,1fr)_auto] gap-3">
                <span className="break-words">{example.text}</span>
                <span className="flex items-center gap-2 whitespace-nowrap tabular-nums">
                  <Badge tone={example.label ? 'flag' : 'good'}>{example.label ? 'violates' : 'safe'}</Badge>
                  {example.before.toFixed(2)} → {example.after.toFixed(2)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}
