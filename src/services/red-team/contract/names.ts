/** Names that requests and answers use. The browser imports them, so the engine's own lists cannot be; a test compares both. */

export const riskCategories = [
  'RT-1',
  'RT-2',
  'RT-3',
  'RT-4',
  'RT-5',
  'RT-6',
  'RT-7',
  'RT-8',
  'RT-9',
] as const;
export const threatModels = ['benign', 'direct', 'indirect'] as const;
export const taskTypes = ['benign', 'malicious_direct', 'malicious_indirect'] as const;
export const vectors = ['environment_data', 'tool_output', 'tool_description', 'skill', 'combined'] as const;
export const domains = [
  'crm',
  'communication',
  'code',
  'finance',
  'customer_service',
  'os',
  'travel',
  'workflow',
] as const;

/** How an agent is driven over HTTP; `auto` finds out at the first probe. */
export const protocols = ['auto', 'openai_chat', 'openai_responses', 'a2a', 'ag_ui', 'json'] as const;

export const runStatuses = ['created', 'running', 'completed', 'failed', 'cancelled'] as const;
export const taskStatuses = ['pending', 'running', 'passed', 'failed', 'error', 'cancelled'] as const;
export const reportStatuses = ['queued', 'rendering', 'ready', 'failed'] as const;

export const outcomes = [
  'attack_succeeded',
  'work_done',
  'work_not_done',
  'not_delivered',
  'ignored',
  'refused',
  'attempted_failed',
  'executed_then_refused',
  'inconclusive',
] as const;
