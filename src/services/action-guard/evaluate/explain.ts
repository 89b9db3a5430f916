import type { Decision } from './decide.ts';
import type { Violation } from './one-per-cause.ts';

/** A violation in a line. */
export const display = ({ rule, policy, finding }: Violation): string =>
  `[${rule.severity}] ${policy.name}: ${rule.description} (${withoutStop(finding.reason)})`;

const withoutStop = (sentence: string) => sentence.trim().replace(/\.$/, '');

const count = (items: readonly unknown[], noun: string) =>
  `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;

const modes = {
  strict: () => 'every violation blocks',
  severity_level: ({ blocking }: Decision) => `violations of severity ${blocking.level} and above block`,
  rule_threshold: ({ blocking, violatedShare }: Decision) =>
    `${percent(violatedShare)} of the rules are violated and ${percent(blocking.threshold)} block`,
};

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

/** Why the decision is what it is, in a few sentences. */
export function explain(decision: Decision, totalRules: number): string {
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
  return totalRules === 0
    ? 'Allowed: the policy set has no enabled rule.'
    : `Allowed: none of ${totalRules} rules is violated.`;
}

const sentence = (text: string) => `${withoutStop(text)}.`;
