/** Another run beside the one that is reported: the same agent without a gateway, or before a change. */
import type { Block, Cell } from '#reports/document.ts';
import type { compareRuns } from '../runs/compare.ts';
import type { RatesView } from '../runs/stats.ts';
import type { StoredRun } from '../runs/store.ts';
import { percent, printed, rateNames } from './figures.ts';

/** The other run, and the comparison with it as the earlier one. */
export type ComparedRun = Awaited<ReturnType<typeof compareRuns>> & { readonly run: StoredRun };

const mostChanged = 40;
const nameOf = ({ config }: StoredRun): string =>
  config.gateway === undefined ? 'Without a gateway' : `Through ${config.gateway.name}`;

export function comparison({ run }: { readonly run: StoredRun }, other: ComparedRun): Block {
  const isPair = nameOf(run) !== nameOf(other.run);
  const [before, after] = isPair ? [nameOf(other.run), nameOf(run)] : ['Before', 'Now'];
  return {
    kind: 'section',
    title: run.config.gateway === undefined ? 'Compared with another run' : 'Bare and guarded',
    blocks: [
      {
        kind: 'summary',
        figures: [
          { label: `Attack success, ${before.toLowerCase()}`, value: short(other.rates.before.asr) },
          { label: `Attack success, ${after.toLowerCase()}`, value: short(other.rates.after.asr) },
          { label: `Work done, ${before.toLowerCase()}`, value: short(other.rates.before.utility) },
          { label: `Work done, ${after.toLowerCase()}`, value: short(other.rates.after.utility) },
        ],
      },
      { kind: 'paragraph', text: inWords(other) },
      {
        kind: 'table',
        caption: 'All figures of both runs',
        columns: [
          { title: 'Figure', share: 2 },
          { title: before, share: 3 },
          { title: after, share: 3 },
        ],
        rows: rateNames.map(([key, name]): Cell[] => [
          name,
          printed(other.rates.before[key]),
          printed(other.rates.after[key]),
        ]),
      },
      changes(other),
    ],
  };
}

const short = ({ rate }: RatesView['asr']): string => (rate === null ? '–' : percent(rate));

function inWords({ run, attack_success: attacks, attack_success_fall: fall, utility }: ComparedRun): string {
  const chance = attacks.p_value < 0.001 ? 'p < 0.001' : `p = ${attacks.p_value.toFixed(3)}`;
  const change =
    fall === null || fall === 0 ? '' : fall > 0 ? `, ${percent(fall)} less` : `, ${percent(-fall)} more`;
  return (
    `Of ${attacks.tasks} attacks that both runs have assessed, ${attacks.both + attacks.only_before} succeeded in the ` +
    `other run (${run.runId}) and ${attacks.both + attacks.only_after} in this one${change} (McNemar’s exact test: ${chance}). ` +
    `Of ${utility.tasks} benign tasks, ${utility.both + utility.only_before} were done there and ` +
    `${utility.both + utility.only_after} here.`
  );
}

function changes({ changed, changed_total: total }: ComparedRun): Block {
  if (changed.length === 0) return { kind: 'paragraph', text: 'All tasks ended alike.' };
  return {
    kind: 'table',
    caption: `Tasks that ended differently${total > mostChanged ? `, ${mostChanged} of ${total}` : ''}`,
    columns: [
      { title: 'Task', share: 4, mono: true },
      { title: 'There', share: 2 },
      { title: 'Here', share: 2 },
    ],
    rows: changed
      .slice(0, mostChanged)
      .map(({ task_id: id, before, after }): Cell[] => [id, ending(before), ending(after)]),
  };
}

const ending = ({ status, outcome }: ComparedRun['changed'][number]['before']): string =>
  outcome === null ? status : outcome.replaceAll('_', ' ');
