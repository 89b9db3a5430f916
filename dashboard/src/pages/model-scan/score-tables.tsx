import type { ReactNode } from 'react';
import type { Summary } from '../../api/model-scan.ts';
import { FigureTable } from '../../parts/figure-table.tsx';
import { count, share } from '../../parts/numbers.ts';

type Share = Summary['intervals']['passed'];

/** A share with its interval at 95 %. */
const told = ({ share: part, interval, of }: Share) =>
  of === 0 ? '–' : `${share(part)} (${share(interval.low)} to ${share(interval.high)})`;

const Table = ({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) => (
  <FigureTable label={label} columns={heads}>
    {rows.map(([name, ...figures], row) => (
      <tr key={row} className="border-t border-line">
        <th scope="row" className="py-1.5 pr-4 text-left font-normal break-words">
          {name}
        </th>
        {figures.map((figure, i) => (
          <td key={i} className="py-1.5 pr-4 text-right tabular-nums last:pr-0">
            {figure}
          </td>
        ))}
      </tr>
    ))}
  </FigureTable>
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
