/** What an approval is, and who may give one. No database, no wire. */
import { createHash } from 'node:crypto';
import type { TraceStep } from '#engine/actions/types.ts';
import { partsOf, predicatesOf, type RuleForm } from '#engine/rules/rule-form.ts';
import type { Caller } from '#identity/caller.ts';
import { type Approvers, rolesIn } from './approvers.ts';

/** What a rule wants of whoever approves. */
export interface Wanted {
  readonly ruleId: string;
  readonly description: string;
  /** The rule as it is enforced, where its sentence says something else. */
  readonly enforced?: string | undefined;
  readonly reason: string;
  /** Roles of which one is needed; empty: none. */
  readonly by: readonly string[];
  /** Another person than the one who asks. */
  readonly other: boolean;
}

/** One person's approval. */
export interface Grant {
  readonly by: string;
  readonly username: string;
  readonly roles: readonly string[];
  /** Given by the one who asked. */
  readonly isAsker: boolean;
  /** ISO 8601. */
  readonly at: string;
}

export interface Approval {
  readonly approvalId: string;
  readonly tenantId: string;
  readonly policySetId: string;
  readonly sessionId: string;
  /** Empty where the call came through no gateway. */
  readonly gatewayId: string;
  readonly userId: string;
  readonly apiKeyId: string | null;
  /** Whom the agent acts for, as the calling application said; empty where it did not. */
  readonly actingUser: string;
  readonly toolName: string;
  /** JSON text. */
  readonly toolParams: string;
  readonly callHash: string;
  readonly wanted: readonly Wanted[];
  readonly grants: readonly Grant[];
  readonly status: 'pending' | 'approved' | 'denied';
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedBy: string | null;
  readonly usedAt: Date | null;
}

export type ShownStatus = Approval['status'] | 'expired' | 'used';

export const statusAt = ({ status, usedAt, expiresAt }: Approval, now: Date): ShownStatus =>
  usedAt !== null ? 'used' : status !== 'denied' && expiresAt <= now ? 'expired' : status;

/** Objects whose keys stand in another order are the same call. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

/** What is approved is one call: its tool, its server, all of its arguments and, where it has no tool, its text. */
export function callHashOf({
  toolName,
  serverName,
  serverId,
  toolParams,
  action,
  content,
}: TraceStep): string {
  const said = toolName === undefined ? (action ?? content ?? '') : '';
  const call = [toolName ?? '', serverId ?? '', serverName ?? '', sorted(toolParams ?? {}), said];
  return createHash('sha256').update(JSON.stringify(call)).digest('hex');
}

/** What a form wants of approvals that were checked; undefined where it speaks of none. */
export function approvalsOf(form: RuleForm | undefined): Pick<Wanted, 'by' | 'other'>[] {
  if (form === undefined) return [];
  return partsOf(form)
    .flatMap(predicatesOf)
    .flatMap((one) =>
      one.is === 'approval' && one.from === 'checked'
        ? [{ by: one.by ?? [], other: one.other === true }]
        : [],
    );
}

const plain = (name: string) => name.trim().toLowerCase();

/** Whether the person is the one who asked, under whichever name. */
export function isAsker(
  { userId, actingUser }: Pick<Approval, 'userId' | 'actingUser'>,
  person: Pick<Caller, 'userId' | 'username'> & { readonly email?: string | undefined },
): boolean {
  const names = [person.userId, person.username, ...(person.email === undefined ? [] : [person.email])];
  return (
    person.userId === userId || (actingUser !== '' && names.some((name) => plain(name) === plain(actingUser)))
  );
}

const shares = (wanted: readonly string[], held: readonly string[]): boolean =>
  wanted.some((role) => held.some((one) => plain(one) === plain(role)));

const meets = ({ by, other }: Wanted, { roles, isAsker: asked }: Grant): boolean =>
  !(other && asked) && (by.length === 0 || shares(by, roles));

/** Rules for which somebody who may has approved; of several people that one rule wants, the engine decides. */
export const approvedRules = ({ wanted, grants }: Pick<Approval, 'wanted' | 'grants'>): ReadonlySet<string> =>
  new Set(wanted.filter((one) => grants.some((grant) => meets(one, grant))).map(({ ruleId }) => ruleId));

/** Why this caller cannot give what the rule wants; undefined where they can. */
export function refusalOf(
  wanted: Pick<Wanted, 'by' | 'other'>,
  approval: Pick<Approval, 'userId' | 'actingUser'>,
  caller: Caller,
  approvers: Approvers,
): string | undefined {
  const asked = isAsker(approval, caller);
  if (wanted.other && asked) return 'It wants another person than the one who asked: four eyes.';
  const held = rolesIn(approvers, caller);
  if (wanted.by.length > 0)
    return shares(wanted.by, held)
      ? undefined
      : `It wants the approval of: ${wanted.by.join(', ')}. Your roles here are: ${held.join(', ') || 'none'}. The owner of the policy set gives roles on its page (\`user_roles\`).`;
  return asked || isOverseer(approvers, caller)
    ? undefined
    : 'Only who asked, the owner of the policy set, a user with a role in it or an administrator may approve it.';
}

/** Roles of accounts, which an administrator of the tenant gives. */
const accountRoles: ReadonlySet<string> = new Set(['admin', 'member']);

/** Roles that are wanted and that nobody has where the set judges: until somebody gets one, nobody can approve. */
export function rolesOfNobody(
  approval: Pick<Approval, 'wanted' | 'grants'>,
  { userRoles }: Approvers,
): string[] {
  const given = Object.entries(userRoles).flatMap(([role, names]) => (names.length > 0 ? [role] : []));
  const met = approvedRules(approval);
  const open = approval.wanted.filter(
    ({ ruleId, by }) =>
      !met.has(ruleId) &&
      by.length > 0 &&
      !shares(by, given) &&
      !by.some((role) => accountRoles.has(plain(role))),
  );
  return [...new Set(open.flatMap(({ by }) => by))];
}

/** Who looks after the calls that a set holds. */
export const isOverseer = (approvers: Approvers, caller: Caller): boolean =>
  caller.roles.includes('admin') ||
  approvers.ownerId === caller.userId ||
  Object.values(approvers.userRoles).some((names) =>
    names.some((name) => plain(name) === plain(caller.username)),
  );
