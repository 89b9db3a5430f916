/** Who may use what at a gateway: pure, and the same for lists and for calls. */
import type { AccessControl, AccessRule } from '../gateways/gateway.ts';

/** Who asks. */
export interface Principal {
  readonly userId: string;
  readonly roles: readonly string[];
  /** Of an OAuth client, where one acts for the user. */
  readonly clientId: string | undefined;
}

/** What is asked for. */
export interface Target {
  readonly serverId: string;
  readonly serverName: string;
  /** As clients see it; undefined for what is no tool. */
  readonly tool: string | undefined;
}

/** Whether the name fits, `*` standing for any characters. Going back to the last `*` alone is enough: no blow-up. */
function fits(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  let i = 0;
  while (i < name.length) {
    if (glob[at] === '*') {
      star = at;
      resumeAt = i;
      at += 1;
    } else if (glob[at] === name[i]) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      resumeAt += 1;
      i = resumeAt;
    } else return false;
  }
  return /^\**$/.test(glob.slice(at));
}

const matches = (globs: readonly string[], ...names: readonly string[]): boolean =>
  globs.some((glob) => names.some((name) => fits(glob, name)));

const speaksOf = (
  rule: AccessRule,
  principal: Principal,
  { serverId, serverName, tool }: Target,
): boolean => {
  const { userId, roles, clientId } = principal;
  if (!matches(rule.principals, userId, ...roles, ...(clientId === undefined ? [] : [clientId])))
    return false;
  if (!matches(rule.servers, serverId, serverName)) return false;
  return tool === undefined ? rule.tools.includes('*') : matches(rule.tools, tool);
};

/** What holds, and the place of the rule that says so; null where the default does. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: number | null;
}

/** A rule that denies wins; where none speaks, the default does. */
export function decide(control: AccessControl, principal: Principal, target: Target): Decision {
  let allowing: number | null = null;
  for (const [place, rule] of control.rules.entries()) {
    if (!speaksOf(rule, principal, target)) continue;
    if (rule.effect === 'deny') return { allowed: false, rule: place };
    allowing ??= place;
  }
  return { allowed: allowing !== null || control.default === 'allow', rule: allowing };
}

export const isAllowed = (control: AccessControl, principal: Principal, target: Target): boolean =>
  decide(control, principal, target).allowed;
