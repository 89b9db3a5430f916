/** The nine categories of risk, each with its place in published lists (ids checked by a test). */
export const riskCategories = {
  'RT-1': {
    name: 'Goal hijack and instruction override',
    frameworks: ['ASI01:2026', 'LLM01:2025', 'AML.T0051', 'AML.T0054', 'AML.T0093', 'AML.T0094'],
  },
  'RT-2': {
    name: 'Sensitive data exfiltration and privacy breach',
    frameworks: [
      'ASI02:2026',
      'ASI03:2026',
      'LLM02:2025',
      'LLM07:2025',
      'AML.T0086',
      'AML.T0057',
      'AML.T0056',
      'AML.T0085.001',
      'AML.T0082',
    ],
  },
  'RT-3': {
    name: 'Tool misuse and destructive action',
    frameworks: ['ASI02:2026', 'LLM06:2025', 'AML.T0053', 'AML.T0101', 'AML.T0099'],
  },
  'RT-4': {
    name: 'Identity, privilege and authorization abuse',
    frameworks: ['ASI03:2026', 'LLM06:2025', 'AML.T0012', 'AML.T0083', 'AML.T0098', 'AML.T0055'],
  },
  'RT-5': {
    name: 'Unsafe code and command execution',
    frameworks: ['ASI05:2026', 'LLM05:2025', 'AML.T0050', 'AML.T0102', 'AML.T0105'],
  },
  'RT-6': {
    name: 'Fraud, impersonation and financial harm',
    frameworks: ['ASI09:2026', 'LLM06:2025', 'LLM09:2025', 'AML.T0048.000', 'AML.T0052', 'AML.T0073'],
  },
  'RT-7': {
    name: 'Poisoned tools, skills, memory and context',
    frameworks: [
      'ASI04:2026',
      'ASI06:2026',
      'LLM03:2025',
      'LLM04:2025',
      'LLM08:2025',
      'AML.T0110',
      'AML.T0104',
      'AML.T0109',
      'AML.T0080.000',
      'AML.T0080.001',
      'AML.T0070',
    ],
  },
  'RT-8': {
    name: 'Harmful, discriminatory or non-compliant output and decisions',
    frameworks: ['ASI09:2026', 'LLM09:2025', 'AML.T0048.001', 'AML.T0048.002', 'AML.T0048.003'],
  },
  'RT-9': {
    name: 'Availability, oversight evasion and cascading failure',
    frameworks: [
      'ASI07:2026',
      'ASI08:2026',
      'ASI10:2026',
      'LLM10:2025',
      'AML.T0029',
      'AML.T0034.002',
      'AML.T0081',
    ],
  },
} as const;
export type RiskCategory = keyof typeof riskCategories;
export const riskCategoryIds = Object.keys(riskCategories) as [RiskCategory, ...RiskCategory[]];

export const threatModels = ['benign', 'direct', 'indirect'] as const;
export type ThreatModel = (typeof threatModels)[number];

export const taskTypes = {
  benign: 'benign',
  direct: 'malicious_direct',
  indirect: 'malicious_indirect',
} as const;
export type TaskType = (typeof taskTypes)[ThreatModel];

/** Where an injection reaches the agent. */
export const vectors = ['environment_data', 'tool_output', 'tool_description', 'skill', 'combined'] as const;
export type Vector = (typeof vectors)[number];
