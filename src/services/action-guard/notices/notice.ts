import { toIsoTime } from '#base/clock.ts';
import type { Mail } from '#base/mail/mailer.ts';
import type { Violation } from '../evaluate/one-per-cause.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';

const maxCharacters = 500;

/** Untrusted text, shortened to one line, so that it cannot imitate our lines. */
const line = (text: string) =>
  text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, maxCharacters)
    .toWellFormed();
const quoted = (text: string) => `“${line(text)}”`;

/** The e-mail about a blocked action, without the call's arguments, which may be secret. */
export function noticeOf(
  { question, verdict, caller, liveSet, at }: Evaluation,
  violations: readonly Violation[],
): Omit<Mail, 'to'> {
  const step = question.steps.findLast(({ role }) => role === 'agent');
  const held = violations.every(({ action }) => action === 'ask');
  const lines = [
    `${held ? 'An action waits for a person' : 'An action was blocked'} by the policy set ${quoted(liveSet.name)} (${liveSet.policySetId}).`,
    '',
    `Time:     ${toIsoTime(at)}`,
    `User:     ${caller.username} (${caller.userId})`,
    `Session:  ${line(question.sessionId)}`,
    ...(question.gatewayId === undefined ? [] : [`Gateway:  ${line(question.gatewayId)}`]),
    ...(step?.toolName === undefined ? [] : [`Tool:     ${quoted(step.toolName)}`]),
    `Threat:   ${verdict.threatCategory}`,
    '',
    'Rules:',
    ...violations.map(
      ({ rule, policy, finding }) =>
        `- [${rule.severity}] ${line(policy.name)}: ${line(rule.description)}\n  ${line(finding.reason)}`,
    ),
    '',
    'About these rules there is no other mail from this session for ten minutes.',
  ];
  const [first] = violations;
  return {
    subject: `[Bulwark] ${held ? 'Held' : 'Blocked'}: ${first?.rule.description.slice(0, 120) ?? verdict.threatCategory}`,
    text: lines.join('\n'),
  };
}
