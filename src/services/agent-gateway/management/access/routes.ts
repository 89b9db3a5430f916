import type { Database } from '#base/db/database.ts';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Caller } from '#identity/caller.ts';
import type { accessOperations } from '../../contract/access.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import { principalsOf } from '../../registry/gateways/gateway.ts';
import type { Gateways } from '../../registry/gateways/gateways.ts';
import { viewPrincipalNames } from '../../registry/gateways/view.ts';
import { findDiscovery, listAttachments } from '../../registry/servers/store.ts';
import { decide, type Principal } from '../../guarding/access/access.ts';

interface AccessRoutesDeps {
  readonly db: Database;
  readonly gateways: Gateways;
  readonly vault: Vault;
  readonly userNames: UserNames;
}

export const accessHandlers = ({
  db,
  gateways,
  vault,
  userNames,
}: AccessRoutesDeps): Handlers<typeof accessOperations, Caller> => ({
  async previewAccess({ caller, params, body }) {
    const gateway = await gateways.getOwn(caller, params.gateway_id);
    const control = body.access_control ?? gateway.accessControl;
    const principals = body.principals.map(
      ({ user_id: userId = '', roles, client_id: clientId }): Principal => ({ userId, roles, clientId }),
    );
    const attached = (await listAttachments(db, vault, gateway.gatewayId)).filter(({ usable }) => usable);
    const rows = [];
    for (const { server, toolPrefix } of attached) {
      const { serverId, name: serverName } = server;
      const { items } = await findDiscovery(db, serverId, 'tools');
      for (const tool of [...items.map(({ name }) => toolPrefix + String(name)), undefined]) {
        const verdicts = [];
        for (const principal of principals) {
          await yieldToEventLoop();
          verdicts.push(decide(control, principal, { serverId, serverName, tool }));
        }
        rows.push({ server_id: serverId, server_name: serverName, tool: tool ?? null, verdicts });
      }
    }
    const nameOf = await userNames(principalsOf(control), caller);
    return { rows, principal_names: viewPrincipalNames(control, nameOf) };
  },
});
