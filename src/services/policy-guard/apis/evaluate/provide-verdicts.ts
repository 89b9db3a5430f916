/** Verdicts, and the guards that they are made by, for other services of this process. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Operation, Received, Sent } from '#base/contract/operation.ts';
import type { Handlers, RequestFacts } from '#base/http/mount.ts';
import { currentRequestId } from '#base/http/request-id.ts';
import type { Caller } from '#identity/caller.ts';
import { evaluateOperations } from '../../contract/evaluate.ts';
import { guardOperations } from '../../contract/guards.ts';

const facts = (): RequestFacts => ({
  id: currentRequestId() ?? 'in-process',
  ip: '127.0.0.1',
  userAgent: undefined,
  cookie: undefined,
  lastEventId: undefined,
});

/** The handler of an operation for callers in this process, whose input has the contract's type already. */
const local =
  <O extends Operation>(handler: Handlers<{ operation: O }, Caller>['operation']) =>
  async (caller: Caller, input: Sent<O>): Promise<Received<O>> =>
    (await handler({ ...input, caller, request: facts() } as never)) as Received<O>;

/** Video moderation has words judged by guards and by policies of its own. */
export function provideVerdicts(
  calls: ServiceCalls<Caller> | undefined,
  handlers: Pick<Handlers<typeof evaluateOperations, Caller>, 'topicGuard' | 'topicGuardOneshot'>,
  { getGuard }: Pick<Handlers<typeof guardOperations, Caller>, 'getGuard'>,
): void {
  calls?.provide(evaluateOperations.topicGuard, local(handlers.topicGuard));
  calls?.provide(evaluateOperations.topicGuardOneshot, local(handlers.topicGuardOneshot));
  calls?.provide(guardOperations.getGuard, local(getGuard));
}
