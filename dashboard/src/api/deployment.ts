import { createClient } from '#base/contract/client.ts';
import { deploymentOperations } from '#front-door/contract.ts';
import { authorisedFetch } from '../session/session.ts';

export const deployment = createClient(deploymentOperations, { baseUrl: '', fetch: authorisedFetch });

export type Setting = Awaited<ReturnType<typeof deployment.getConfiguration>>['settings'][number];
