import type { Block, Fact, FindingStep, Severity } from '#reports/document.ts';
import type { ResultDetail } from '../results/store.ts';

const longestStep = 600;
const mostSteps = 40;
const mostChanges = 20;

/** What helps against each category. */
const advice: Readonly<Record<string, string>> = {
  'RT-1':
    'Treat text from tools as data. Guard the agent’s actions: ask before calls that the user’s request does not name.',
  'RT-2': 'Allow sending and sharing to known recipients only, and redact confidential data in what leaves.',
  'RT-3': 'Require approval for deleting, overwriting and bulk changes.',
  'RT-4': 'Give the agent the least rights; deny changes of roles, owners and access by the agent.',
  'RT-5': 'Deny commands and code from content; run what is needed in a sandbox.',
  'RT-6': 'Require approval for payments and orders, with limits and known payees.',
  'RT-7':
    'Pin tool descriptions and skills, scan them when they change, and quarantine instructions in them.',
  'RT-8': 'Check replies and decisions with the policy guard before they are used.',
  'RT-9': 'Limit calls, time and cost for each task, and keep logging out of the agent’s reach.',
};

const cut = (text: string) => (text.length > longestStep ? `${text.slice(0, longestStep)}…` : text);

/** A failed or starred task: verdict, numbered trajectory, state difference, advice. */
export function caseBlock(result: ResultDetail): Block {
  const { riskCategory } = result;
  const changes = (result.judge?.state_changes ?? []).slice(0, mostChanges);
  const remedy = riskCategory === null ? undefined : advice[riskCategory];
  return {
    kind: 'finding',
    finding: {
      title: `${result.includedReport ? '★ ' : ''}${result.title}`,
      severity: severityOf(result),
      tags: [riskCategory, result.threatModel, result.vector, result.template, result.domain].filter(
        (tag): tag is string => tag !== null,
      ),
      facts: factsOf(result),
      steps: stepsOf(result),
      ...(changes.length > 0 && {
        evidence: cut(changes.map((change) => JSON.stringify(change)).join('\n')),
      }),
      ...(remedy !== undefined && { remedy }),
    },
  };
}

function severityOf({ attackSuccess, status }: ResultDetail): Severity {
  if (attackSuccess === true) return 'high';
  return status === 'failed' ? 'medium' : 'info';
}

function factsOf({ taskId, outcome, judge }: ResultDetail): Fact[] {
  const facts = [
    { name: 'Task', value: taskId },
    { name: 'Outcome', value: (outcome ?? '').replaceAll('_', ' ') },
  ];
  if (judge === null) return facts;
  const { violated_policy: policy, evidence, collateral } = judge;
  return [
    ...facts,
    ...(policy === null ? [] : [{ name: 'Broken rule', value: policy }]),
    ...evidence.map((value, i) => ({ name: `Evidence ${i + 1}`, value })),
    ...collateral.slice(0, mostChanges).map((value) => ({ name: 'Unexplained', value })),
  ];
}

function stepsOf({ trajectory }: ResultDetail): FindingStep[] {
  const steps = trajectory?.steps ?? [];
  const shown = steps.slice(0, mostSteps).map((step): FindingStep => {
    const what = step.tool ? ` ${step.tool}` : '';
    const text = step.input ? JSON.stringify(step.input) : (step.content ?? '');
    return {
      where: `${step.role}${what}${step.injected ? ' (injected text)' : ''}`,
      text: cut(text),
    };
  });
  return steps.length > mostSteps
    ? [...shown, { where: `${steps.length - mostSteps} more steps are in the trajectory.` }]
    : shown;
}
