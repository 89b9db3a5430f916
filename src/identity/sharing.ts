/**
 * Who may read and who may change a resource of a tenant. A resource has an owner and a visibility; its owner and the
 * administrators of its tenant read and change it, the others of the tenant read it where it is shared with them. To
 * everybody else it does not exist.
 */
import { forbidden, notFound } from '#base/errors.ts';
import type { Caller } from './caller.ts';
import type { visibilities } from './contract/sharing.ts';

export type Visibility = (typeof visibilities)[number];

/** Whose resources a list is to have: the caller's own, or all that the caller may read. */
export type OwnerFilter = 'me' | 'all';

/** What decides about access to a resource. */
export interface Shared {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
}

/** Somebody who wants to read or to change. */
export interface Viewer {
  readonly tenantId: string;
  readonly userId: string;
  /** Of the tenant. */
  readonly isAdmin: boolean;
}

/** An API key and an OAuth client act as their user. */
export const viewerOf = ({ tenantId, userId, roles }: Caller): Viewer => ({
  tenantId,
  userId,
  isAdmin: roles.includes('admin'),
});

export const mayChange = (
  viewer: Viewer,
  { tenantId, ownerId }: Pick<Shared, 'tenantId' | 'ownerId'>,
): boolean => tenantId === viewer.tenantId && (ownerId === viewer.userId || viewer.isAdmin);

export const mayRead = (viewer: Viewer, resource: Shared): boolean =>
  mayChange(viewer, resource) || (resource.tenantId === viewer.tenantId && resource.visibility === 'tenant');

/**
 * The resource, where the viewer may read it.
 * @param what begins the sentence of the error, such as `The guard`
 * @throws AppError 404
 */
export function readableOr404<R extends Shared>(viewer: Viewer, resource: R | undefined, what: string): R {
  if (resource === undefined || !mayRead(viewer, resource)) throw notFound(what);
  return resource;
}

/**
 * The resource, where the viewer may change it.
 * @throws AppError 404 where the viewer may not read it, 403 where reading is all
 */
export function changeableOrRefused<R extends Shared>(
  viewer: Viewer,
  resource: R | undefined,
  what: string,
): R {
  const found = readableOr404(viewer, resource, what);
  if (!mayChange(viewer, found)) throw onlyReadable(what);
  return found;
}

/** The refusal of a change by somebody who may only read. */
const onlyReadable = (what: string) =>
  forbidden(
    `${what} is shared with you to read and use. Only its owner, or an administrator of the tenant, may do this.`,
  );

/** The first parameters of a statement with {@link readable} or {@link changeable}: `$1`, `$2` and `$3`. */
export const viewerParams = ({ tenantId, userId, isAdmin }: Viewer): [string, string, boolean] => [
  tenantId,
  userId,
  isAdmin,
];

/** {@link mayChange} as a condition on a table with `tenant_id` and `owner_id`. */
export const changeable = (alias: string): string =>
  `(${alias}.tenant_id = $1 and (${alias}.owner_id = $2 or $3::boolean))`;

/** {@link mayRead} as a condition on a table with `tenant_id`, `owner_id` and `visibility`. */
export const readable = (alias: string): string =>
  `(${alias}.tenant_id = $1 and (${alias}.owner_id = $2 or $3::boolean or ${alias}.visibility = 'tenant'))`;

/** The first parameters of a statement with {@link listed}: `$1` to `$4`. */
export const listParams = (viewer: Viewer, owner: OwnerFilter): [string, string, boolean, boolean] => [
  ...viewerParams(viewer),
  owner === 'me',
];

/** What the viewer may read, or of that only what the viewer owns. */
export const listed = (alias: string): string =>
  `(${readable(alias)} and (${alias}.owner_id = $2 or not $4::boolean))`;
