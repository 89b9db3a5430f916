import { useRunning } from '../../frame/use-running.ts';
import { Figure } from '../../parts/figure.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { useActionStats } from './use-last-day-actions.ts';
import { useActionHours, useTextHours } from './use-last-hours.ts';

/** The last 24 hours in numbers: texts, actions and latency. */
export function DayFigures() {
  const runs = useRunning();
  return (
    <dl className="grid grid-cols-2 gap-4 *:last:col-span-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none lg:*:last:col-span-1">
      {runs('policy-guard') && <TextFigures />}
      {runs('action-guard') && <ActionFigures />}
      {runs('policy-guard') && <Latency />}
    </dl>
  );
}

/** A figure that could not be loaded; its panel says why. */
const unknown = (isError: boolean) => (isError ? '–' : '…');

function TextFigures() {
  const { data, isError } = useTextHours();
  const totals = data?.totals;
  return (
    <>
      <Figure name="Texts judged" value={totals === undefined ? unknown(isError) : count(totals.requests)} />
      <Figure
        name="Texts flagged"
        value={totals === undefined ? unknown(isError) : count(totals.flagged)}
        note={totals !== undefined && totals.requests > 0 ? share(totals.flag_rate) : undefined}
      />
    </>
  );
}

/** What stands beside the number of blocked actions. */
function ofBlocked(judged: number, blocked: number, held: number): string | undefined {
  if (held > 0) return `${count(held)} more held for approval`;
  return judged > 0 ? share(blocked / judged) : undefined;
}

function ActionFigures() {
  const { data, isError } = useActionHours();
  const sessions = useActionStats().data?.stats.unique_sessions ?? 0;
  const sum = (of: 'evaluations' | 'violations' | 'held') =>
    data?.hours.reduce((all, hour) => all + hour[of], 0);
  const [judged, stopped, held = 0] = [sum('evaluations'), sum('violations'), sum('held')];
  const blocked = stopped === undefined ? undefined : stopped - held;
  return (
    <>
      <Figure
        name="Actions judged"
        value={judged === undefined ? unknown(isError) : count(judged)}
        note={sessions === 0 ? undefined : sessions === 1 ? '1 session' : `${count(sessions)} sessions`}
      />
      <Figure
        name="Actions blocked"
        value={blocked === undefined ? unknown(isError) : count(blocked)}
        note={ofBlocked(judged ?? 0, blocked ?? 0, held)}
      />
    </>
  );
}

function Latency() {
  const { data, isError } = useTextHours();
  const totals = data?.totals;
  return (
    <Figure
      name="Latency (p95)"
      value={totals === undefined ? unknown(isError) : milliseconds(totals.latency_ms_p95)}
    />
  );
}
