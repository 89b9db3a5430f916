/** Gateways that have their calls judged by a policy set, asked of the agent gateway. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Received } from '#base/contract/operation.ts';
import { AppError, conflict } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import { setUserOperations } from '../contract/set-users.ts';

interface Deps {
  /** Absent in contexts of tests without other services. */
  readonly calls: ServiceCalls<Caller> | undefined;
  /** URL of the agent gateway if it runs in another process. */
  readonly baseUrl: string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
  readonly log: Logger;
}

const timeoutMs = 5000;
const named = 5;

/** @throws AppError 409 while a gateway has its calls judged by the set: without it, they would all be refused */
export type RefuseUsed = (caller: Caller, setId: string) => Promise<void>;

type Using = Received<typeof setUserOperations.listGatewaysOfPolicySet>;

function describeUse({ gateways, others }: Using): string {
  const more = gateways.length > named ? ` and ${gateways.length - named} more` : '';
  const names = gateways
    .slice(0, named)
    .map(({ name }) => `"${name}"`)
    .join(', ');
  return [
    ...(gateways.length > 0 ? [`the gateway${gateways.length === 1 ? '' : 's'} ${names}${more}`] : []),
    ...(others > 0 ? [`${others} gateway${others === 1 ? '' : 's'} of other users`] : []),
  ].join(' and ');
}

/** Where no agent gateway answers, nothing is refused: there may be none, and its status tells of a set that is gone. */
export const createRefuseUsed =
  ({ calls, baseUrl, tokenFor, log }: Deps): RefuseUsed =>
  async (caller, setId) => {
    if (calls === undefined) return;
    const params = { policy_set_id: setId };
    const use = await calls
      .call(setUserOperations.listGatewaysOfPolicySet, caller, { params }, { baseUrl, tokenFor, timeoutMs })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || (error.status < 500 && error.status !== 404)) throw error;
        log.warn({ err: error }, 'the agent gateway could not be asked which gateways use a policy set');
        return undefined;
      });
    if (use === undefined || use.gateways.length + use.others === 0) return;
    throw conflict(
      `The policy set is used by ${describeUse(use)}. Choose another set there first, then delete it.`,
    );
  };
