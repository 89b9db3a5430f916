/** What of an instance speaks of AI, by the kind of resource: its table and the columns that may be told. */
export interface SaasTable {
  readonly type: string;
  readonly table: string;
  /** Columns that are read and told; no instructions, prompts or credentials. */
  readonly columns: readonly string[];
  /** Of the platform's query language. */
  readonly filter?: string;
}

const described = ['name', 'description', 'active'];

export const saasTables: readonly SaasTable[] = [
  { type: 'ai_agent', table: 'sn_aia_agent', columns: [...described, 'role'] },
  { type: 'agentic_workflow', table: 'sn_aia_usecase', columns: described },
  { type: 'agent_team', table: 'sn_aia_team', columns: described },
  { type: 'agent_tool', table: 'sn_aia_tool', columns: [...described, 'type'] },
  { type: 'skill', table: 'sn_nowassist_skill_config', columns: [...described, 'state'] },
  {
    type: 'model_config',
    table: 'sys_generative_ai_model_config',
    columns: [...described, 'provider', 'model'],
  },
  { type: 'mcp_server', table: 'sn_mcp_server_registry', columns: [...described, 'url'] },
  { type: 'mcp_server', table: 'sn_mcp_server', columns: [...described, 'url'] },
  {
    type: 'external_ai_integration',
    table: 'sys_rest_message',
    columns: ['name', 'description', 'rest_endpoint'],
  },
  {
    type: 'plugin',
    table: 'sys_store_app',
    columns: ['name', 'scope', 'version', 'active'],
    filter: 'scopeLIKEgen_ai^ORscopeLIKEsn_aia^ORscopeLIKEsn_mcp^ORscopeLIKEsn_nowassist',
  },
];
