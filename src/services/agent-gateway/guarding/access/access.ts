/** Access control of a gateway, the same for lists and calls. Pure. */
import type { AccessControl, AccessRule } from '../../registry/gateways/gateway.ts';

/** The caller. */
export interface Principal {
  readonly userId: string;
  readonly roles: readonly string[];
  /** The OAuth client id, if a client acts for the user. */
  readonly clientId: string | undefined;
}

/** What the caller wants to use. */
export interface Target {
  readonly serverId: string;
  readonly serverName: string;
  /** The name that clients see; undefined if it is not a tool. */
  readonly tool: string | undefined;
}

/** Whether the name matches the pattern, in which `*` stands for any characters. */
function fits(glob: string, name: string): boolean {
  if (glob === '*') return true;
  const first = glob.indexOf('*');
  if (first < 0) return glob === name;
  const last = glob.lastIndexOf('*');
  const end = name.length - (glob.length - last - 1);
  if (end < first || !name.startsWith(glob.slice(0, first)) || !name.endsWith(glob.slice(last + 1)))
    return false;
  let at = first;
  // Each part is matched at its first occurrence; no backtracking is necessary.
  for (const part of glob.slice(first + 1, last + 1).split('*')) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

const matchesOne = (globs: readonly string[], name: string): boolean => {
  for (const glob of globs) if (fits(glob, name)) return true;
  return false;
};

const matches = (globs: readonly string[], names: readonly string[]): boolean => {
  for (const name of names) if (matchesOne(globs, name)) return true;
  return false;
};

const speaksOf = (rule: AccessRule, names: readonly string[], target: Target): boolean => {
  if (!matches(rule.principals, names)) return false;
  const { serverId, serverName, tool } = target;
  if (!matchesOne(rule.servers, serverId) && !matchesOne(rule.servers, serverName)) return false;
  return tool === undefined ? rule.tools.includes('*') : matchesOne(rule.tools, tool);
};

/** The effect, and the index of the rule that decides; null if the default decides. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: number | null;
}

/** A matching deny rule takes precedence; without a matching rule the default applies. */
export function decide(control: AccessControl, principal: Principal, target: Target): Decision {
  const { userId, roles, clientId } = principal;
  const names = clientId === undefined ? [userId, ...roles] : [userId, ...roles, clientId];
  let allowing: number | null = null;
  let place = -1;
  for (const rule of control.rules) {
    place += 1;
    if (!speaksOf(rule, names, target)) continue;
    if (rule.effect === 'deny') return { allowed: false, rule: place };
    allowing ??= place;
  }
  return { allowed: allowing !== null || control.default === 'allow', rule: allowing };
}

export const isAllowed = (control: AccessControl, principal: Principal, target: Target): boolean =>
  decide(control, principal, target).allowed;
