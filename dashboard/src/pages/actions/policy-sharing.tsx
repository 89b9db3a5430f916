import { actionGuard, actionKeys, type ActionPolicy } from '../../api/action-guard.ts';
import { Sharing, type Shared } from '../../parts/sharing.tsx';

type Owned = Pick<ActionPolicy, 'created_by' | 'created_by_name' | 'visibility'>;

/** The sharing options of a policy or a policy set. */
export const sharedOf = ({ created_by, created_by_name, visibility }: Owned): Shared => ({
  ownerId: created_by,
  ownerName: created_by_name,
  visibility,
});

export const PolicySharing = ({ policy }: { policy: ActionPolicy }) => (
  <Sharing
    kind="policy"
    shared={sharedOf(policy)}
    changes={actionKeys.policies}
    save={(visibility) =>
      actionGuard.updatePolicy({ params: { policy_id: policy.id }, body: { visibility } })
    }
  />
);

export const SetSharing = ({ set }: { set: Owned & { readonly id: string } }) => (
  <Sharing
    kind="set"
    shared={sharedOf(set)}
    changes={actionKeys.sets}
    save={(visibility) =>
      actionGuard.updatePolicySet({ params: { policy_set_id: set.id }, body: { visibility } })
    }
  />
);
