/** What other services of this process ask the MCP scan for, without HTTP. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Operation, Received, Sent } from '#base/contract/operation.ts';
import type { Handlers, RequestFacts } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { createOperations } from './contract/create.ts';
import { scanOperations } from './contract/scans.ts';

const within: RequestFacts = {
  id: 'in-process',
  ip: '127.0.0.1',
  userAgent: undefined,
  cookie: undefined,
  lastEventId: undefined,
};

/** The handler of an operation for callers in this process, whose input has the contract's type already. */
const local =
  <O extends Operation>(handler: Handlers<{ operation: O }, Caller>['operation']) =>
  async (caller: Caller, input: Sent<O>): Promise<Received<O>> =>
    (await handler({ ...input, caller, request: within } as never)) as Received<O>;

/** A gateway looks for the scan of a server, starts one, and waits for its end. */
export function provideScans(
  calls: ServiceCalls<Caller> | undefined,
  handlers: Pick<
    Handlers<typeof createOperations & typeof scanOperations, Caller>,
    'findScanOfServer' | 'processConfig' | 'getScanStatus'
  >,
): void {
  calls?.provide(scanOperations.findScanOfServer, local(handlers.findScanOfServer));
  calls?.provide(createOperations.processConfig, local(handlers.processConfig));
  calls?.provide(scanOperations.getScanStatus, local(handlers.getScanStatus));
}
