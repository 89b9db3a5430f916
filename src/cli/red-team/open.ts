import { createClient, type Client } from '#base/contract/client.ts';
import { agentOperations } from '#services/red-team/contract/agents.ts';
import { evaluationOperations } from '#services/red-team/contract/evaluations.ts';
import { ownTaskOperations } from '#services/red-team/contract/own-tasks.ts';
import { resultOperations } from '#services/red-team/contract/results.ts';
import { runOperations } from '#services/red-team/contract/runs.ts';
import { keyOrLocalKey, redTeamUrlOf, type SignInOptions } from '../connection.ts';

export interface RedTeamOptions extends SignInOptions {
  json?: boolean;
}

const operations = {
  ...agentOperations,
  ...evaluationOperations,
  ...ownTaskOperations,
  ...runOperations,
  ...resultOperations,
};
export type RedTeamClient = Client<typeof operations>;

export async function openRedTeam(options: RedTeamOptions): Promise<RedTeamClient> {
  const baseUrl = redTeamUrlOf(options);
  return createClient(operations, { baseUrl, headers: await keyOrLocalKey({ ...options, baseUrl }) });
}
