import type { Evaluation } from '../../api/red-team.ts';
import { Facts } from '../../parts/facts.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';

const all = 'all';
const listed = (values: readonly string[]) => (values.length === 0 ? all : values.join(', '));

/** What the tasks were selected by. */
export function SelectionFacts({ evaluation }: { evaluation: Evaluation }) {
  const { selection } = evaluation;
  return (
    <Panel title="Selection" note="The tasks were copied when the evaluation was made; they do not change.">
      <Facts
        facts={[
          ['Agent', evaluation.agent_endpoint],
          ['Threat models', listed(selection.threat_models)],
          ['Risk categories', listed(selection.risk_categories)],
          ['Domains', listed(selection.domains)],
          ['Environments', listed(selection.environments)],
          ['Vectors', listed(selection.vectors)],
          ['Wordings', listed(selection.templates)],
          ['Single tasks', selection.task_ids.length === 0 ? '–' : count(selection.task_ids.length)],
          ['Most tasks', selection.max_tasks === undefined ? all : count(selection.max_tasks)],
          ['Seed', String(selection.seed)],
        ]}
      />
    </Panel>
  );
}
