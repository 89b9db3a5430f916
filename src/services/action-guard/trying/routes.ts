import { toIsoTime } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { TriedCall } from '#engine/rules/trying/example-call.ts';
import type { tryOperations } from '../contract/trying.ts';
import { readStep } from '../evaluate/trace-step.ts';
import { viewReading } from '../rules/routes.ts';
import { createTryRule, type TryDeps, type Tried, type TriedEntry } from './try-rule.ts';

const viewCall = ({ toolName, toolParams, outcome, reason }: Tried & TriedCall) => ({
  tool_name: toolName,
  tool_params: { ...toolParams },
  outcome,
  ...(reason !== undefined && { reason }),
});

const viewEntry = (tried: TriedEntry) => ({
  ...viewCall(tried),
  log_id: tried.entry.logId,
  session_id: tried.entry.sessionId,
  timestamp: toIsoTime(tried.entry.at),
  was_allowed: tried.entry.allowed,
});

export function tryHandlers(deps: TryDeps): Handlers<typeof tryOperations, Caller> {
  const tryRule = createTryRule(deps);
  return {
    async tryRule({ caller, body }) {
      const { draft, logged, example, neighbours, notTried } = await tryRule(caller, {
        text: body.text,
        rule: body.rule,
        days: body.days,
        most: body.most,
        steps: (body.trace ?? []).map(readStep),
      });
      return {
        ...viewReading(draft),
        logged: {
          tried: logged.tried,
          skipped: logged.skipped,
          blocked: logged.counts.block,
          asked: logged.counts.ask,
          warned: logged.counts.warn,
          allowed: logged.counts.allow,
          more: logged.more,
          broken: logged.broken.map(viewEntry),
          kept: logged.kept.map(viewEntry),
        },
        ...(example !== undefined && { example: { ...viewCall(example), from: example.from } }),
        neighbours: neighbours.map((one) => ({ ...viewCall(one), change: one.change })),
        not_tried: [...notTried],
      };
    },
  };
}
