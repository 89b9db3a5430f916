import { createClient } from '#base/contract/client.ts';
import { apiKeyOperations } from '#identity/contract/api-keys.ts';
import { authOperations } from '#identity/contract/auth.ts';
import { tenantOperations } from '#identity/contract/tenants.ts';
import { userOperations } from '#identity/contract/users.ts';
import { authorisedFetch } from '../session/session.ts';

export const identity = createClient(
  { ...authOperations, ...userOperations, ...apiKeyOperations, ...tenantOperations },
  { baseUrl: '', fetch: authorisedFetch },
);
