import { keys, policyGuard, type PolicyGroup } from '../../api/policy-guard.ts';
import { Sharing, type Shared } from '../../parts/sharing.tsx';

export const sharedOf = (group: PolicyGroup): Shared => ({
  ownerId: group.owner_id,
  ownerName: group.owner_name,
  visibility: group.visibility,
});

export const GroupSharing = ({ group }: { group: PolicyGroup }) => (
  <Sharing
    kind="group"
    shared={sharedOf(group)}
    changes={keys.groups}
    save={(visibility) =>
      policyGuard.replacePolicyGroup({ params: { group_uuid: group.group_uuid }, body: { visibility } })
    }
  />
);
