import type { LiveRule, LiveSet } from '../sets/live-sets.ts';
import { sayUnread } from '#engine/actions/calls/reach.ts';
import type { Decision } from './decide.ts';
import type { Verdict } from './evaluation.ts';
import type { Violation } from './one-per-cause.ts';

/** A violation in a line. */
export const display = ({ rule, policy, finding }: Violation): string =>
  `[${rule.severity}] ${policy.name}: ${rule.description} (${withoutStop(finding.reason)})`;

const withoutStop = (sentence: string) => sentence.trim().replace(/\.$/, '');

const count = (items: readonly unknown[], noun: string) =>
  `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;

const modes = {
  strict: ({ warnings }: Decision) =>
    warnings.length === 0
      ? 'every violation blocks'
      : 'every sure violation blocks, what is only likely warns',
  severity_level: ({ blocking }: Decision) => `violations of severity ${blocking.level} and above block`,
  rule_threshold: ({ blocking, violatedShare }: Decision) =>
    `${percent(violatedShare)} of the rules are violated, and the threshold is ${percent(blocking.threshold)}`,
};

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

/** Why the decision is what it is, in a few sentences, and which rules it says nothing of. */
export const explain = (verdict: Decision & Pick<Verdict, 'unread'>, set: Judged): string =>
  [outcome(verdict, set), ...notRead(verdict), ...unjudged(set.notUnderstood)].join(' ');

/** Of a call that may go ahead; where it may not, the violations say it. */
const notRead = ({ allowed, unread }: Decision & Pick<Verdict, 'unread'>): string[] =>
  unread.length === 0 || !allowed
    ? []
    : [
        `The action was not read whole: ${unread.map(sayUnread).join('; ')}; no rule that blocks concerns what was not read.`,
      ];

type Judged = Pick<LiveSet, 'rules' | 'notUnderstood'>;

const mostNamed = 3;

function unjudged(rules: readonly LiveRule[]): string[] {
  if (rules.length === 0) return [];
  const names = rules.slice(0, mostNamed).map(({ rule }) => JSON.stringify(rule.description.slice(0, 160)));
  const were = rules.length === 1 ? 'was' : 'were';
  return [
    `${count(rules, 'rule')} ${were} not understood and could only be compared by words: ${names.join(', ')}${rules.length > mostNamed ? ', …' : ''}.`,
  ];
}

function outcome(decision: Decision, { rules, notUnderstood }: Judged): string {
  const { violations, warnings } = decision;
  const why = `${modes[decision.blocking.mode](decision)}.`;
  const [first] = violations;
  if (first !== undefined) {
    const verb = violations.some(({ action }) => action === 'deny')
      ? 'Blocked'
      : 'Held for a person to confirm';
    const more = violations.length > 1 ? ` ${violations.length - 1} more in violations_detail.` : '';
    return `${verb}: ${count(violations, 'violation')}; ${why} The gravest: ${sentence(first.rule.description)} ${sentence(first.finding.reason)}${more}`;
  }
  if (warnings.length > 0) return `Allowed with ${count(warnings, 'warning')}; ${why}`;
  if (rules.length === 0) return 'Allowed: the policy set has no enabled rule.';
  const judged = rules.length - notUnderstood.length;
  return judged === 0
    ? 'Allowed: no rule of the policy set was understood.'
    : `Allowed: none of ${judged} rules is violated.`;
}

const sentence = (text: string) => `${withoutStop(text)}.`;
