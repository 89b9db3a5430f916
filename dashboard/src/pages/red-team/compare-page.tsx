import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { type Comparison, redTeam, redTeamKey, type Run } from '../../api/red-team.ts';
import { SelectField } from '../../parts/field.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count, share } from '../../parts/numbers.ts';
import { FigureTable } from '../../parts/figure-table.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { TaskBadge } from './badges.tsx';
import { useCategoryNames } from './use-category-names.ts';
import { countText, domainName, rateNames, rateText } from './words.ts';

const list = { to: '/red-team', name: 'Evaluations' } as const;
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'medium' });

/** Two completed runs beside each other: before and after a change, bare and guarded, or two agents. */
export function CompareRunsPage() {
  const query = useQuery({
    queryKey: [...redTeamKey, 'all-runs'],
    queryFn: () => redTeam.listRuns({ query: { status: 'completed', limit: '200' } }),
  });
  return (
    <>
      <PageHead
        list={list}
        title="Compare runs"
        lead="What has changed between two runs: after a change of the agent, behind a gateway, or between two agents."
      />
      <QueryView query={query}>{({ runs }) => <Choice runs={runs} />}</QueryView>
    </>
  );
}

const labelOf = ({ evaluation_name: name, created_at: at, config }: Run) =>
  `${name}, ${exact.format(new Date(at))}${config.gateway_name === null ? '' : `, through ${config.gateway_name}`}`;

function Choice({ runs }: { runs: readonly Run[] }) {
  const [before, setBefore] = useAddress('before');
  const [after, setAfter] = useAddress('after');
  const options = [
    { value: '', label: 'Choose a run' },
    ...runs.map((run) => ({ value: run.run_id, label: labelOf(run) })),
  ];
  return (
    <>
      <div className="mb-6 grid gap-3 sm:grid-cols-2">
        <SelectField label="Before" value={before} options={options} onChoice={setBefore} />
        <SelectField label="After" value={after} options={options} onChoice={setAfter} />
      </div>
      {before === '' || after === '' ? (
        <Empty icon={GitCompareArrows} title="Choose two runs">
          Runs of one evaluation have the same tasks; of others, the tasks that both have are compared.
        </Empty>
      ) : (
        <Compared before={before} after={after} />
      )}
    </>
  );
}

function Compared({ before, after }: { before: string; after: string }) {
  const query = useQuery({
    queryKey: [...redTeamKey, 'comparison', before, after],
    queryFn: () => redTeam.compareRuns({ params: { run_id: before, other_run_id: after } }),
  });
  return <QueryView query={query}>{(comparison) => <Changes comparison={comparison} />}</QueryView>;
}

const clear = 0.05;

/** What the paired test says, in a sentence. */
function inShort({ attack_success: attacks, utility, attack_success_fall: fall }: Comparison): string[] {
  const certainty = (p: number) => (p < clear ? 'This is unlikely to be chance' : 'This may be chance');
  const attack =
    attacks.tasks === 0
      ? 'No attack was assessed by both runs.'
      : `Of ${count(attacks.tasks)} attacks that both runs assessed, ${count(attacks.both + attacks.only_before)} succeeded before and ${count(attacks.both + attacks.only_after)} after${fall === null || fall === 0 ? '' : fall > 0 ? `: ${share(fall)} less` : `: ${share(-fall)} more`}. ${certainty(attacks.p_value)} (${attacks.p_value < 0.001 ? 'p < 0.001' : `p = ${attacks.p_value.toFixed(3)}`}).`;
  const work =
    utility.tasks === 0
      ? 'No benign task was assessed by both runs.'
      : `Of ${count(utility.tasks)} benign tasks, ${count(utility.both + utility.only_before)} were done before and ${count(utility.both + utility.only_after)} after.`;
  return [attack, work];
}

function Changes({ comparison }: { comparison: Comparison }) {
  const { before, after } = comparison;
  const nameOf = useCategoryNames();
  return (
    <div className="grid gap-6">
      <Panel title="In short">
        <ul className="grid gap-1.5 text-sm">
          {inShort(comparison).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Panel>
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Attack success before" value={rateText(before.rates.asr)} />
        <Figure name="Attack success after" value={rateText(after.rates.asr)} />
        <Figure name="Work done before" value={rateText(before.rates.utility)} />
        <Figure name="Work done after" value={rateText(after.rates.utility)} />
      </dl>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Panel title="All figures">
          <BesideTable
            label="Figures of both runs"
            rows={rateNames.map(([key, name]) => [
              name,
              rateText(before.rates[key]),
              rateText(after.rates[key]),
              `${countText(before.rates[key])} → ${countText(after.rates[key])}`,
            ])}
          />
        </Panel>
        <Panel title="Attack success by category">
          <BesideTable
            label="Attack success by category, of both runs"
            rows={Object.entries(comparison.by_risk_category).map(([id, both]) => [
              nameOf(id),
              both.before === null ? '–' : rateText(both.before.asr),
              both.after === null ? '–' : rateText(both.after.asr),
              '',
            ])}
          />
        </Panel>
      </div>
      <Panel
        title="Tasks that ended differently"
        note={`${count(comparison.changed_total)} of ${count(comparison.tasks_in_common)} tasks that both runs have.`}
      >
        <ul className="grid gap-2" aria-label="Tasks that ended differently">
          {comparison.changed.map((each) => (
            <li key={each.task_id} className="border-t border-line pt-2 text-sm first:border-0">
              <p className="font-medium break-words">{each.title}</p>
              <p className="mt-1 flex flex-wrap items-center gap-2">
                <ResultLink id={each.before.result_id}>
                  <TaskBadge {...each.before} />
                </ResultLink>
                <span aria-label="then">→</span>
                <ResultLink id={each.after.result_id}>
                  <TaskBadge {...each.after} />
                </ResultLink>
                <span className="text-[13px] text-ink-soft">{domainName(each.domain)}</span>
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

const ResultLink = ({ id, children }: { id: string; children: React.ReactNode }) => (
  <Link to="/red-team/results/$resultId" params={{ resultId: id }} className="hover:underline">
    {children}
  </Link>
);

const BesideTable = ({
  label,
  rows,
}: {
  label: string;
  rows: readonly (readonly [name: string, before: string, after: string, note: string])[];
}) => (
  <FigureTable label={label} columns={['Figure', 'Before', 'After']}>
    {rows.map(([name, before, after, note]) => (
      <tr key={name} className="border-t border-line">
        <th scope="row" className="py-1.5 pr-4 text-left font-normal">
          {name}
          {note !== '' && <span className="block text-[13px] text-ink-soft">{note}</span>}
        </th>
        <td className="py-1.5 pr-4 text-right align-top tabular-nums">{before}</td>
        <td className="py-1.5 text-right align-top font-medium tabular-nums">{after}</td>
      </tr>
    ))}
  </FigureTable>
);
