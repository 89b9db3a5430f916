import type { Adaptation } from '../../api/policy-guard.ts';
import { share } from '../../parts/numbers.ts';

type Measures = Adaptation['policies'][number]['before'];

const columns: readonly [string, (measures: Measures) => number][] = [
  ['F1', ({ f1 }) => f1],
  ['Found', ({ recall }) => recall],
  ['False alarms', ({ false_positive_rate: rate }) => rate],
];

/** Metrics of each policy before and after learning; those after it are cross-validated. */
export const AdaptationFigures = ({ policies }: { policies: Adaptation['policies'] }) => (
  <div className="relative mt-4 overflow-x-auto" tabIndex={0} role="region" aria-label="What it changes">
    <table className="w-full text-sm tabular-nums">
      <thead>
        <tr className="border-b border-line text-left text-[13px] text-ink-soft">
          <th scope="col" className="py-2 pr-4 font-medium">
            Policy
          </th>
          <th scope="col" className="py-2 pr-4 font-medium">
            Examples
          </th>
          {columns.map(([name]) => (
            <th key={name} scope="col" className="py-2 pr-4 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {policies.map(
          ({
            policy,
            policy_group_uuid: groupUuid,
            policy_group_name: groupName,
            examples,
            before,
            after,
          }) => (
            <tr key={`${groupUuid} ${policy}`} className="border-b border-line last:border-0">
              <th scope="row" className="py-2 pr-4 text-left font-medium">
                {policy}
                {groupName !== null && (
                  <span className="block text-[13px] font-normal text-ink-soft">{groupName}</span>
                )}
              </th>
              <td className="py-2 pr-4">{examples}</td>
              {columns.map(([name, of]) => (
                <td key={name} className="py-2 pr-4 whitespace-nowrap">
                  <span className="text-ink-soft">{share(of(before))} →</span>{' '}
                  {after === null ? '?' : share(of(after))}
                </td>
              ))}
            </tr>
          ),
        )}
      </tbody>
    </table>
  </div>
);
