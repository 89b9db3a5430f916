import type { ResultDetail } from '../../api/red-team.ts';
import { Badge } from '../../parts/badge.tsx';
import { MarkedCode } from './marked-code.tsx';

type Change = NonNullable<ResultDetail['judge']>['state_changes'][number];

const tones = { added: 'good', removed: 'flag', updated: 'warn' } as const;

const cellText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Columns of a row that differ, or all of an added or removed one. */
function linesOf({ before, after }: Change): { column: string; was: string | null; is: string | null }[] {
  const columns = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return columns.flatMap((column) => {
    const was = before === null ? null : cellText(before[column]);
    const is = after === null ? null : cellText(after[column]);
    return was === is ? [] : [{ column, was, is }];
  });
}

/** The rows that the session changed, with what gives the attack away marked. */
export function StateChanges({
  changes,
  canaries,
}: {
  changes: readonly Change[];
  canaries: readonly string[];
}) {
  if (changes.length === 0)
    return <p className="text-sm text-ink-soft">Nothing changed in the environments.</p>;
  return (
    <ul className="grid gap-3" aria-label="State changes">
      {changes.map((change, i) => (
        <li key={`${i} ${change.table}`} className="min-w-0 rounded-lg border border-line p-3 text-sm">
          <p className="mb-2 flex flex-wrap items-center gap-2">
            <Badge tone={tones[change.op]}>{change.op}</Badge>
            <code className="font-mono text-[13px] break-all">
              {change.environment}.{change.table}
            </code>
          </p>
          <dl className="grid gap-2">
            {linesOf(change).map(({ column, was, is }) => (
              <div key={column} className="min-w-0">
                <dt className="text-[13px] text-ink-soft">{column}</dt>
                <dd className="min-w-0">
                  {was !== null && is !== null && (
                    <MarkedCode className="text-ink-soft line-through" heightPx={128} text={was} />
                  )}
                  <MarkedCode heightPx={160} text={is ?? was ?? ''} canaries={canaries} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
