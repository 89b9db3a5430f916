import type { Gateway } from '../../api/agent-gateway.ts';

/** Names of gateways need not be unique: where two have one name, their ids are shown beside it. */
export const hasSameName = ({ same_name_ids: others = [] }: Pick<Gateway, 'same_name_ids'>): boolean =>
  others.length > 0;

/** A gateway among others to choose from. */
export const labelOf = ({
  id,
  name,
  same_name_ids: others,
}: Pick<Gateway, 'id' | 'name' | 'same_name_ids'>): string =>
  hasSameName({ same_name_ids: others }) ? `${name} (${id})` : name;

/** The ids of gateways that have a name already. */
export const namesTaken = (gateways: readonly Gateway[], name: string, own?: string): string[] =>
  gateways.filter((each) => each.id !== own && each.name === name).map(({ id }) => id);

/** Says that others have the name; nothing where none has. */
export const SameNameNote = ({ ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? null : (
    <p role="status" className="text-sm break-words text-warn">
      {ids.length === 1 ? 'Another gateway has this name: ' : `${ids.length} other gateways have this name: `}
      {ids.join(', ')}. Lists show their ids then; commands need the id.
    </p>
  );
