/** For whom the agent acts in a trial: rules about roles and attributes go by it. */
import type { LogDetail, SentUser } from '../../api/action-guard.ts';
import { TextArea, TextField } from '../../parts/field.tsx';

/** As it is typed. */
export interface TypedUser {
  readonly id: string;
  readonly roles: string;
  readonly attributes: string;
}

export const typedUser = (user: LogDetail['user'] | undefined): TypedUser => ({
  id: user?.id ?? '',
  roles: user?.roles.join(', ') ?? '',
  attributes:
    Object.keys(user?.attributes ?? {}).length === 0 ? '' : JSON.stringify(user?.attributes, null, 2),
});

const problemOf = ({ attributes }: TypedUser): string | undefined => {
  if (attributes.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(attributes);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : 'An object such as {"ward": "B2"}.';
  } catch {
    return 'This is not JSON: an object such as {"ward": "B2"}.';
  }
};

/**
 * What is sent; undefined where nothing was typed, and then whoever is signed in counts.
 * @throws Error for attributes that are no object
 */
export function sentUser(typed: TypedUser): SentUser | undefined {
  const problem = problemOf(typed);
  if (problem !== undefined) throw new Error(`Attributes: ${problem}`);
  const id = typed.id.trim();
  const roles = typed.roles
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  const attributes = typed.attributes.trim() === '' ? undefined : JSON.parse(typed.attributes);
  if (id === '' && roles.length === 0 && attributes === undefined) return undefined;
  return { id, roles, ...(attributes !== undefined && { attributes }) };
}

export const ActingUser = ({ user, onChange }: { user: TypedUser; onChange: (user: TypedUser) => void }) => (
  <fieldset className="grid gap-3 rounded-lg border border-line p-3">
    <legend className="px-1 text-[13px] font-medium">The user of the agent</legend>
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="User id"
        value={user.id}
        maxLength={256}
        placeholder="whoever is signed in"
        onChange={({ target }) => onChange({ ...user, id: target.value })}
      />
      <TextField
        label="Roles"
        value={user.roles}
        placeholder="nurse, head_nurse"
        hint="Separated by commas."
        onChange={({ target }) => onChange({ ...user, roles: target.value })}
      />
    </div>
    <TextArea
      label="Attributes as JSON"
      className="font-mono text-[13px]"
      rows={1}
      value={user.attributes}
      placeholder='{"ward": "B2"}'
      error={problemOf(user)}
      onChange={({ target }) => onChange({ ...user, attributes: target.value })}
    />
  </fieldset>
);
