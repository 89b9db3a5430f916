import { Link } from '@tanstack/react-router';
import type { OpenDecisions } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { decisionCount, useOpenDecisions } from './use-open-decisions.ts';

type Target =
  | { readonly to: '/gateways/$gatewayId'; readonly params: { gatewayId: string } }
  | { readonly to: '/mcp-servers/$serverId'; readonly params: { serverId: string } };

/**
 * In lists of gateways and servers: the name, and how much waits there for a decision of this user.
 * @param at whether a decision is open there
 */
export function NameCell({
  name,
  link,
  at,
  id,
}: {
  name: string;
  /** Shown where others have the same name. */
  id?: string | undefined;
  link: Target;
  at: (decision: OpenDecisions) => boolean;
}) {
  const waiting = decisionCount(useOpenDecisions().filter(at));
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Link {...link} className="font-medium hover:underline">
        {name}
      </Link>
      {id !== undefined && <code className="font-mono text-[13px] text-ink-soft">{id}</code>}
      {waiting > 0 && <Badge tone="warn">{waiting} to decide</Badge>}
    </span>
  );
}
