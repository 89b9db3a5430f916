/** Computes the steps that make the server equal to the file. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { GroupEntry, GuardEntry, PolicyDocument } from './document.ts';

export interface Step {
  readonly action: 'create' | 'change' | 'delete';
  readonly kind: 'policy group' | 'guard';
  readonly name: string;
  /** What differs: fields of the group or guard, and policies by name. */
  readonly details: readonly string[];
}

/** Groups come before the guards that use them; what is only on the server goes last, and only with `prune`. */
export function planOf(wanted: PolicyDocument, present: PolicyDocument, prune: boolean): Step[] {
  const groups = steps('policy group', wanted.policy_groups, present.policy_groups, groupDetails);
  const guards = steps('guard', wanted.guards, present.guards, guardDetails);
  if (!prune) return [...groups, ...guards];
  return [
    ...groups,
    ...guards,
    ...missing('guard', wanted.guards, present.guards),
    ...missing('policy group', wanted.policy_groups, present.policy_groups),
  ];
}

function steps<T extends { name: string }>(
  kind: Step['kind'],
  wanted: readonly T[],
  present: readonly T[],
  detailsOf: (wanted: T, present: T) => string[],
): Step[] {
  return wanted.flatMap((each): Step[] => {
    const old = present.find(({ name }) => name === each.name);
    if (old === undefined) return [{ action: 'create', kind, name: each.name, details: [] }];
    const details = detailsOf(each, old);
    return details.length === 0 ? [] : [{ action: 'change', kind, name: each.name, details }];
  });
}

const missing = (
  kind: Step['kind'],
  wanted: readonly { name: string }[],
  present: readonly { name: string }[],
) =>
  present
    .filter((each) => !wanted.some(({ name }) => name === each.name))
    .map(({ name }): Step => ({ action: 'delete', kind, name, details: [] }));

const differing = (a: object, b: object, fields: readonly string[]) =>
  fields.filter(
    (field) =>
      !isDeepStrictEqual((a as Record<string, unknown>)[field], (b as Record<string, unknown>)[field]),
  );

function groupDetails(wanted: GroupEntry, present: GroupEntry): string[] {
  const fields = differing(wanted, present, ['description', 'threshold', 'strictness_level', 'is_template']);
  const policies = steps('policy group', wanted.policies, present.policies, (a, b) =>
    differing(a, b, ['description', 'enabled', 'block_activities', 'safe_activities']),
  );
  const marks = { create: '+', change: '~', delete: '-' };
  const gone = missing('policy group', wanted.policies, present.policies);
  const names = (entries: GroupEntry['policies']) => entries.map(({ name }) => name);
  const listed = [...policies, ...gone];
  const reordered =
    listed.length === 0 && !isDeepStrictEqual(names(wanted.policies), names(present.policies));
  return [
    ...fields,
    ...listed.map(
      ({ action, name, details }) =>
        `${marks[action]} policy ${JSON.stringify(name)}${details.length > 0 ? `: ${details.join(', ')}` : ''}`,
    ),
    ...(reordered ? ['order of policies'] : []),
  ];
}

function guardDetails(wanted: GuardEntry, present: GuardEntry): string[] {
  const settings = Object.keys(wanted.settings).filter(
    // A setting that is null on the server is not in its entry.
    (key) => !isDeepStrictEqual(wanted.settings[key] ?? undefined, present.settings[key]),
  );
  return [
    ...differing(wanted, present, ['description', 'enabled', 'policy_groups']),
    ...settings.map((key) => `settings.${key}`),
  ];
}
