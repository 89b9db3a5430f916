/** Who has which role where a policy set judges, and which domains are one's own. */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { actionGuard, actionKeys, type PolicySet } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { usePeople } from '../gateways/use-people.ts';
import { rolesWanted } from './roles-wanted.ts';

/** As it is typed. */
interface TypedRole {
  readonly key: number;
  readonly role: string;
  /** Names, separated by commas. */
  readonly names: string;
}

const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]+/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];

const typedRoles = ({ user_roles: roles }: PolicySet): TypedRole[] =>
  Object.entries(roles).map(([role, names], key) => ({ key, role, names: names.join(', ') }));

/** Rows with the same role are one; a role without anybody is none. */
function rolesOf(typed: readonly TypedRole[]): Record<string, string[]> {
  const roles = new Map<string, string[]>();
  for (const { role, names } of typed) {
    const name = role.trim();
    const people = listed(names);
    if (name !== '' && people.length > 0)
      roles.set(name, [...new Set([...(roles.get(name) ?? []), ...people])]);
  }
  return Object.fromEntries(roles);
}

/** The roles as rows that are added, changed and removed. */
function useTypedRoles(set: PolicySet) {
  const [roles, setRoles] = useState(() => typedRoles(set));
  const [nextKey, setNextKey] = useState(roles.length);
  return {
    roles,
    add: (role: string) => {
      setRoles([...roles, { key: nextKey, role, names: '' }]);
      setNextKey(nextKey + 1);
    },
    change: (key: number, next: Partial<TypedRole>) =>
      setRoles(roles.map((one) => (one.key === key ? { ...one, ...next } : one))),
    remove: (key: number) => setRoles(roles.filter((one) => one.key !== key)),
  };
}

export function SetPeople({ set, editable }: { set: PolicySet; editable: boolean }) {
  const { roles, add, change, remove } = useTypedRoles(set);
  const [domains, setDomains] = useState(set.own_domains.join(', '));
  const given = new Set(
    roles.filter(({ names }) => names.trim() !== '').map(({ role }) => role.trim().toLowerCase()),
  );
  const open = rolesWanted(set.policies).filter((role) => !given.has(role.toLowerCase()));
  return (
    <Panel title="People and domains" note="Rules that speak of roles, or of what is one’s own, go by these.">
      <SettingsForm
        editable={editable}
        action="Save people and domains"
        changes={actionKeys.sets}
        run={() =>
          actionGuard.updatePolicySet({
            params: { policy_set_id: set.id },
            body: { user_roles: rolesOf(roles), own_domains: listed(domains) },
          })
        }
      >
        <fieldset disabled={!editable} className="grid gap-4">
          <OpenRoles
            roles={open}
            {...(editable && {
              onGive: (role: string) =>
                roles.some((one) => one.role.trim().toLowerCase() === role.toLowerCase())
                  ? undefined
                  : add(role),
            })}
          />
          {roles.length > 0 && (
            <ul className="grid gap-3">
              {roles.map((role) => (
                <RoleRow
                  key={role.key}
                  role={role}
                  editable={editable}
                  onChange={(next) => change(role.key, next)}
                  onRemove={() => remove(role.key)}
                />
              ))}
            </ul>
          )}
          {editable && (
            <Button size="small" className="justify-self-start" onClick={() => add('')}>
              <Plus className="size-3.5" aria-hidden /> Add a role
            </Button>
          )}
          <TextField
            label="Own domains"
            value={domains}
            onChange={({ target }) => setDomains(target.value)}
            placeholder="example.com"
            hint="Mail and web domains that count as inside, with all below them; comma-separated."
          />
        </fieldset>
      </SettingsForm>
    </Panel>
  );
}

/** Roles that rules of the set ask for and that nobody has. */
const OpenRoles = ({ roles, onGive }: { roles: readonly string[]; onGive?: (role: string) => void }) =>
  roles.length === 0 ? null : (
    <ul className="grid gap-2 rounded-lg bg-warn-soft p-3 text-[13px]">
      {roles.map((role) => (
        <li key={role} className="flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-0 break-words text-warn">
            Rules ask for the role “{role}”, and nobody has it.
          </span>
          {onGive !== undefined && (
            <Button size="small" aria-label={`Give the role ${role}`} onClick={() => onGive(role)}>
              Give it
            </Button>
          )}
        </li>
      ))}
    </ul>
  );

function RoleRow({
  role: { role, names },
  editable,
  onChange,
  onRemove,
}: {
  role: TypedRole;
  editable: boolean;
  onChange: (next: Partial<TypedRole>) => void;
  onRemove: () => void;
}) {
  const people = usePeople();
  const chosen = new Set(listed(names).map((name) => name.toLowerCase()));
  const others = people.filter(({ username }) => !chosen.has(username.toLowerCase()));
  return (
    <li className="grid gap-3 rounded-lg border border-line p-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Role"
            value={role}
            maxLength={100}
            placeholder="manager"
            onChange={({ target }) => onChange({ role: target.value })}
          />
        </div>
        {editable && (
          <Button kind="quiet" size="icon" aria-label={`Remove the role ${role}`} onClick={onRemove}>
            <X className="size-4" />
          </Button>
        )}
      </div>
      <TextField
        label="Who has it"
        value={names}
        placeholder="dana, lee"
        hint="Names of users here, who alone can approve, or ids that applications know their users by; comma-separated."
        onChange={({ target }) => onChange({ names: target.value })}
      />
      {editable && others.length > 0 && (
        <SelectField
          label="Add a person"
          value=""
          options={[
            { value: '', label: 'Choose a user' },
            ...others.map(({ username }) => ({ value: username, label: username })),
          ]}
          onChoice={(username) =>
            username !== '' && onChange({ names: [...listed(names), username].join(', ') })
          }
        />
      )}
      {role.trim() === '' && names.trim() !== '' && <Badge tone="warn">The role has no name yet</Badge>}
    </li>
  );
}
