import type { Gateway } from '../../api/agent-gateway.ts';
import { Approvals } from './approvals.tsx';
import { DescriptionReview } from './description-review.tsx';
import { ToolChanges } from './tool-changes.tsx';

/** Open decisions: calls that need approval, tools that have changed, descriptions that speak to the model. */
export const Oversight = ({ gateway }: { gateway: Gateway }) => (
  <div className="grid grid-cols-1 gap-6">
    <Approvals gateway={gateway} />
    <ToolChanges gateway={gateway} />
    <DescriptionReview gateway={gateway} />
  </div>
);
