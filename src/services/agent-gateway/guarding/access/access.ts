/** Who may use what at a gateway: pure, and the same for lists and for calls. */
import type { AccessControl, AccessRule } from '../../registry/gateways/gateway.ts';

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

/** Whether the name fits, `*` standing for any characters. */
function fits(glob: string, name: string): boolean {
  const first = glob.indexOf('*');
  if (first < 0) return glob === name;
  const last = glob.lastIndexOf('*');
  const end = name.length - (glob.length - last - 1);
  if (end < first || !name.startsWith(glob.slice(0, first)) || !name.endsWith(glob.slice(last + 1)))
    return false;
  let at = first;
  // Each part at its first place is enough: no going back.
  for (const part of glob.slice(first + 1, last + 1).split('*')) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
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
