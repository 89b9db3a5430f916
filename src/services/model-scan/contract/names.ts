/** Names that requests and answers use. */

export const dataSetNames = [
  'EU Artificial Intelligence Act',
  'AI Company Policies',
  'General Data Protection Regulation',
  'OWASP LLM Top 10',
  'NIST AI RMF',
  'MITRE ATLAS',
  'FINRA',
  'Bias',
  'Over Cautiousness',
  'Hallucination',
  'Societal Harmfulness',
  'Privacy',
  'Robustness',
  'Finance Brand Risk',
  'Education Brand Risk',
  'Health Care Brand Risk',
  'Healthcare Risks',
  'Finance Risks',
  'Retail Policy Compliance',
  'IT/Tech Policy Compliance',
] as const;

export const algorithmNames = [
  'DarkCite',
  'Bijection Learning',
  'Crescendo Attack',
  'Flip Attack',
  'Language Game',
  'BoN Attack',
  'Humor Attack',
  'Emoji Attack',
] as const;

/** A case sent as it is. */
export const defaultAlgorithm = 'Default';

export const scanStatuses = ['Initializing', 'Scanning', 'Paused', 'Finished', 'Failed', 'Error'] as const;
export type ScanStatus = (typeof scanStatuses)[number];
