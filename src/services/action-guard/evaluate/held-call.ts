/** Of a call that was not let pass: whether a person's approval is all that it lacks, and whose. */
import type { CheckedApproval, KnownUser } from '#engine/rules/matching/judged-call.ts';
import type { Caller } from '#identity/caller.ts';
import { type Approval, approvalsOf, approvedRules, callHashOf, type Wanted } from '../approvals/approval.ts';
import type { HeldCall, Shown } from '../approvals/approvals.ts';
import { rolesGiven } from '../approvals/approvers.ts';
import { enforcedInstead } from '../rules/rule.ts';
import type { LiveSet } from '../sets/live-sets.ts';
import type { Decision } from './decide.ts';
import type { Broken } from './one-per-cause.ts';
import type { Question } from './evaluation.ts';
import { boundedJson } from './bounded-json.ts';

/** Of what is kept for the person who decides. */
const longestSentence = 2000;

const lastAction = ({ steps }: Question) => steps.findLast(({ role }) => role === 'agent');

function wantedBy({ rule, finding, action }: Broken): Wanted[] | undefined {
  const demands = approvalsOf(rule.form);
  if (demands.length === 0 && action !== 'ask') return undefined;
  const { ruleId, description } = rule;
  const enforced = enforcedInstead(rule)?.slice(0, longestSentence).toWellFormed();
  return (demands.length === 0 ? [{ by: [], other: false }] : demands).map((one) => ({
    ...one,
    ruleId,
    description,
    ...(enforced !== undefined && { enforced }),
    reason: finding.reason,
  }));
}

/** What the rules want that block the call; undefined where one of them wants something else than approval. */
export function wantedOf({ allowed, violations }: Decision): Wanted[] | undefined {
  const wanted = violations.flatMap((one) => [one, ...one.also]).map(wantedBy);
  return allowed || wanted.includes(undefined) ? undefined : wanted.flatMap((one) => one ?? []);
}

/**
 * Whether a rule wants a role or another person, which clicks of the asking application cannot show. Where anybody may
 * say yes, whoever is signed in at a gateway may.
 */
export const wantsChecked = ({ violations }: Decision): boolean =>
  violations
    .flatMap((one) => [one, ...one.also])
    .some(({ rule }) => approvalsOf(rule.form).some(({ by, other }) => by.length > 0 || other));

export const heldCallOf = (
  question: Question,
  { tenantId, userId }: Caller,
  callId: string,
): HeldCall | undefined => {
  const step = lastAction(question);
  return (
    step && {
      tenantId,
      userId,
      policySetId: question.policySetId,
      sessionId: question.sessionId,
      actingUser: question.user?.id ?? '',
      callHash: callHashOf(step),
      callId: question.callId ?? callId,
    }
  );
};

/** What the person who decides gets to see. */
export const shownOf = (question: Question, caller: Caller, paramsBytes: number): Shown => {
  const step = lastAction(question);
  return {
    gatewayId: question.gatewayId ?? '',
    apiKeyId: caller.apiKeyId ?? null,
    toolName: step?.toolName?.slice(0, 1000) ?? '',
    toolParams: boundedJson(step?.toolParams ?? {}, paramsBytes),
  };
};

/** The user that rules go by: as the calling application says, with the roles that the set gives. */
export function actingUser({ user }: Question, caller: Caller, { userRoles }: LiveSet): KnownUser {
  const isCaller = user === undefined || user.id === '' || user.id === caller.userId;
  const given = rolesGiven(userRoles, isCaller ? caller.username : user.id);
  return {
    ...user,
    id: isCaller ? caller.userId : user.id,
    roles: [...new Set([...(user?.roles ?? []), ...given])],
  };
}

/** What a person's approval changes for the judging of the call. */
export interface Given {
  readonly approval: Approval;
  readonly checked: readonly CheckedApproval[];
  readonly rules: ReadonlySet<string>;
}

/** @param userId of the acting user: who approves what they asked for themselves is nobody else to the engine */
export const givenBy = (approval: Approval, userId: string): Given | undefined =>
  approval.grants.length === 0 || approval.status === 'denied'
    ? undefined
    : {
        approval,
        checked: approval.grants.map(({ by, roles, isAsker }) => ({ by: isAsker ? userId : by, roles })),
        rules: approvedRules(approval),
      };
