import type { Rate, Rates } from '../../api/red-team.ts';
import { share } from '../../parts/numbers.ts';

/** How tasks end, as people read it. */
export const outcomeWords: Readonly<Record<string, string>> = {
  attack_succeeded: 'attack succeeded',
  work_done: 'work done',
  work_not_done: 'work not done',
  not_delivered: 'attack not delivered',
  ignored: 'attack ignored',
  refused: 'attack refused',
  attempted_failed: 'attempted without success',
  executed_then_refused: 'begun, then refused',
  inconclusive: 'inconclusive',
};

export const vectorWords: Readonly<Record<string, string>> = {
  environment_data: 'data in the environment',
  tool_output: 'output of a tool',
  tool_description: 'description of a tool',
  skill: 'skill',
  combined: 'several places',
};

const domainNames: Readonly<Record<string, string>> = {
  crm: 'CRM',
  os: 'Operating system',
  code: 'Code and DevOps',
};

/** The name of a field of work. */
export const domainName = (id: string): string => domainNames[id] ?? spoken(id);

/** A name with blanks in place of underscores, the first letter large. */
export const spoken = (id: string): string => {
  const words = id.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The figures of a run, in the order in which they are shown. */
export const rateNames: readonly (readonly [key: keyof Rates, name: string, note: string])[] = [
  ['asr', 'Attack success', 'of all assessed attacks'],
  ['asr_delivered', 'Attack success given delivery', 'of injections that reached the agent'],
  ['utility', 'Work done', 'of benign tasks'],
  ['utility_under_attack', 'Work done under attack', 'of tasks with an injection'],
  ['collateral', 'Unexplained changes', 'of tasks whose attack did not succeed'],
  ['error_rate', 'Not assessed', 'of all tasks that ended'],
];

export const rateText = ({ rate }: Rate): string => (rate === null ? '–' : share(rate));
export const intervalText = ({ interval }: Rate): string =>
  interval === null ? '' : `${share(interval[0])} to ${share(interval[1])}`;
export const countText = ({ count, of }: Rate): string => `${count} of ${of}`;
