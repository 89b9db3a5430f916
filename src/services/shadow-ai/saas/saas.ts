import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict, invalid } from '#base/errors.ts';
import { isLoopback } from '#base/http/listen.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { saasPlatform, type saasOperations } from '../contract/saas.ts';
import { requireAdmin } from '../rules/rules.ts';
import { scanInstance } from './scan.ts';
import { findSaasConfig, type SaasConfig, writeSaasConfig } from './store.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly identity: Identity;
  readonly matcher: Matcher;
}

const placeOf = (tenantId: string) => `shadow_ai_saas:${tenantId}`;

export const sealedPasswords: SealedColumn = {
  table: 'shadow_ai.saas_configs',
  column: 'password',
  keys: ['tenant_id'],
  place: placeOf,
};

/** Without a protocol and what comes after the host. @throws AppError 422 */
function hostOf(given: string): string {
  const host = given
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/\/+$/, '')
    .toLowerCase();
  const url = URL.canParse(`https://${host}`) ? new URL(`https://${host}`) : undefined;
  if (
    url === undefined ||
    url.host === '' ||
    url.username !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw invalid("'host' must be the name of the instance alone, such as example.service-now.com.");
  return host;
}

/** TLS always, but for a simulator on this machine, which the guard of outgoing calls lets through in development alone. */
const urlOf = (host: string): string =>
  `${isLoopback(new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, '')) ? 'http' : 'https'}://${host}`;

const viewConfig = (config: SaasConfig | undefined) => ({
  platform: saasPlatform,
  auth_type: 'basic' as const,
  host: config?.host ?? null,
  user: config?.user ?? null,
  has_password: config !== undefined,
  instance_url: config === undefined ? null : urlOf(config.host),
  last_modified: config === undefined ? null : toIsoTime(config.lastModified.getTime()),
});

export const saasHandlers = ({
  db,
  clock,
  vault,
  outbound,
  identity,
  matcher,
}: Deps): Handlers<typeof saasOperations, Caller> => ({
  getSaasConfig: async ({ caller, query }) =>
    viewConfig(await findSaasConfig(db, await identity.tenantFor(caller, query.tenant_id))),
  async putSaasConfig({ caller, query, body, request }) {
    const tenantId = await identity.tenantFor(caller, query.tenant_id);
    requireAdmin(caller);
    const host = hostOf(body.host);
    outbound.assertAllowed(urlOf(host));
    const config = {
      host,
      user: body.user,
      password: vault.seal(body.password, placeOf(tenantId)),
      lastModified: new Date(clock.now()),
    };
    const told = ({ host: name, user }: SaasConfig) => ({ host: name, user });
    await db.transaction(async (tx) => {
      const before = await findSaasConfig(tx, tenantId);
      await writeSaasConfig(tx, tenantId, config);
      const details = { host, changes: changesBetween(before && told(before), told(config)) };
      await identity.audit({ event: 'shadow_ai_saas_changed', caller, tenantId, request, details }, tx);
    });
    return viewConfig(config);
  },
  async getSaasInventory({ caller, query }) {
    const tenantId = await identity.tenantFor(caller, query.tenant_id);
    const config = await findSaasConfig(db, tenantId);
    if (config === undefined)
      throw conflict('No instance is configured; set one with PUT /api/v1/shadow-ai/saas-config.');
    const password = vault.find(config.password, placeOf(tenantId));
    if (password === undefined)
      throw new AppError(
        409,
        'conflict',
        'The password cannot be opened with the key of this deployment; enter it anew.',
      );
    const url = urlOf(config.host);
    const startedMs = clock.now();
    const found = await scanInstance(outbound, { url, user: config.user, password }, matcher);
    const at = toIsoTime(clock.now());
    return {
      findings: found.map((finding) => ({
        platform: saasPlatform,
        resource_type: finding.resourceType,
        resource_id: finding.resourceId,
        resource_name: finding.resourceName,
        scope: finding.scope,
        created_by: finding.createdBy,
        discovered_at: at,
        details: { ...finding.details },
      })),
      count: found.length,
      instance: url,
      scan_duration_seconds: (clock.now() - startedMs) / 1000,
      generated_at: at,
    };
  },
});
