import type { Shared, Visibility } from '../../parts/sharing.tsx';

/** Owner and visibility of an agent, an evaluation or a run’s evaluation. */
export const sharedOf = (resource: {
  readonly owner_id: string;
  readonly owner_name: string | null;
  readonly visibility: Visibility;
}): Shared => ({
  ownerId: resource.owner_id,
  ownerName: resource.owner_name,
  visibility: resource.visibility,
});
