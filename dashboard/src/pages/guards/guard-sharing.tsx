import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { Sharing, type Shared } from '../../parts/sharing.tsx';

export const sharedOf = (guard: Guard): Shared => ({
  ownerId: guard.owner_id,
  ownerName: guard.owner_name,
  visibility: guard.visibility,
});

export const GuardSharing = ({ guard }: { guard: Guard }) => (
  <Sharing
    kind="guard"
    shared={sharedOf(guard)}
    changes={keys.guards}
    save={(visibility) =>
      policyGuard.updateGuard({ params: { guard_uuid: guard.guard_uuid }, body: { visibility } })
    }
  />
);
