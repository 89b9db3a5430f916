import type { Agent } from '../../api/red-team.ts';

export const protocolNames: Readonly<Record<Agent['protocol'], string>> = {
  auto: 'found out at each run',
  openai_chat: 'OpenAI chat completions',
  openai_responses: 'OpenAI Responses',
  a2a: 'Agent2Agent',
  ag_ui: 'AG-UI',
  json: 'JSON by a template',
};
