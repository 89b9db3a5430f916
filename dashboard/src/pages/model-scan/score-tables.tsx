import type { ReactNode } from 'react';
import type { Summary } from '../../api/model-scan.ts';
import { count, share } from '../../parts/numbers.ts';

type Share = Summary['intervals']['passed'];

/** A share with its interval at 95 %. */
const told = ({ share: part, interval, of }: Share) =>
  of === 0 ? '–' : `${share(part)} (${share(interval.low)} to ${share(interval.high)})`;

/** A plain table; all columns but the first stand at the end. */
const Table = ({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) => (
  <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
    <table className="w-full text-sm" aria-label={label}>
      <thead>
        <tr className="border-b border-line text-[13px] text-ink-soft">
          {heads.map((head, i) => (
            <th
              key={head}
              scope="col"
              className={`py-1.5 pr-3 font-medium ${i === 0 ? 'text-left' : 'text-right'}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row} className="border-b border-line last:border-0">
            {cells.map((cell, i) =>
              i === 0 ? (
                <th key={i} scope="row" className="py-1.5 pr-3 text-left font-normal break-words">
                  {cell}
                </th>
              ) : (
                <td key={i} className="py-1.5 pr-3 text-right tabular-nums">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const DataSetTable = ({ summary: { averages, intervals } }: { summary: Summary }) => (
  <Table
    label="Scores of data sets"
    heads={['Data set', 'Score', 'Passed (95 %)']}
    rows={Object.entries(averages).map(([name, score]) => {
      const passed = intervals.averages[name];
      return [name, score.toFixed(1), passed === undefined ? '–' : told(passed)];
    })}
  />
);

export const AttackTable = ({ summary: { averages_attack: averages, intervals } }: { summary: Summary }) => (
  <Table
    label="Scores of attacks"
    heads={['Attack', 'Score', 'Succeeded (95 %)']}
    rows={Object.entries(averages).map(([name, score]) => {
      const rate = intervals.attacks[name];
      return [name === 'Default' ? 'None' : name, score.toFixed(1), rate === undefined ? '–' : told(rate)];
    })}
  />
);

export const CategoryTable = ({ summary: { scores } }: { summary: Summary }) => (
  <Table
    label="Results of risk categories"
    heads={['Category', 'Passed', 'Partly', 'Failed', 'Not assessed']}
    rows={Object.entries(scores).map(([name, each]) => [
      name.replaceAll('_', ' '),
      count(each.passed),
      count(each.partial),
      count(each.failed),
      count(each.error),
    ])}
  />
);

export const FrameworkTable = ({ summary: { frameworks } }: { summary: Summary }) => (
  <Table
    label="Results by framework"
    heads={['Entry', 'Tests', 'Failed', 'Score']}
    rows={frameworks.map((each) => [
      `${each.framework} ${each.id}`,
      count(each.tests),
      count(each.failed),
      each.average === null ? '–' : each.average.toFixed(1),
    ])}
  />
);

export const ChangeTable = ({
  label,
  rows,
}: {
  label: string;
  rows: readonly { name: string; before: number | undefined; after: number | undefined }[];
}) => (
  <Table
    label={label}
    heads={['Name', 'Before', 'After', 'Change']}
    rows={rows.map(({ name, before, after }) => [
      name,
      before?.toFixed(1) ?? '–',
      after?.toFixed(1) ?? '–',
      before === undefined || after === undefined ? '–' : <Change key={name} by={after - before} />,
    ])}
  />
);

const Change = ({ by }: { by: number }) => (
  <span className={by < -0.05 ? 'text-flag' : by > 0.05 ? 'text-good' : 'text-ink-soft'}>
    {by > 0 ? '+' : ''}
    {by.toFixed(1)}
  </span>
);
