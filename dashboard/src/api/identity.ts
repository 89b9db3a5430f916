import { createClient } from '#base/contract/client.ts';
import { apiKeyOperations } from '#identity/contract/api-keys.ts';
import { auditOperations } from '#identity/contract/audit.ts';
import { authOperations } from '#identity/contract/auth.ts';
import { savedViewOperations } from '#identity/contract/saved-views.ts';
import { tenantOperations } from '#identity/contract/tenants.ts';
import { userOperations } from '#identity/contract/users.ts';
import { authorisedFetch } from '../session/session.ts';
import { saveFile } from './save-file.ts';

export const identity = createClient(
  {
    ...authOperations,
    ...userOperations,
    ...apiKeyOperations,
    ...tenantOperations,
    ...auditOperations,
    ...savedViewOperations,
  },
  { baseUrl: '', fetch: authorisedFetch },
);

export type ApiKey = Awaited<ReturnType<typeof identity.listApiKeys>>['api_keys'][number];
export type AuditEvent = Awaited<ReturnType<typeof identity.listAuditEvents>>['events'][number];
export type Member = Awaited<ReturnType<typeof identity.listUsers>>['users'][number];
export type SavedView = Awaited<ReturnType<typeof identity.listSavedViews>>['views'][number];

/** Saves all entries of the filter as a file. */
export const saveAuditTrail = (
  form: 'csv' | 'jsonl',
  filter: Readonly<Record<string, string>>,
): Promise<void> => saveFile(`/auth/audit-events/export/${form}`, filter, `audit-trail.${form}`);
