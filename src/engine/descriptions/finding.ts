/** Kinds as the scan's text guard names them. */
export type DescriptionCategory =
  | 'Prompt Injection'
  | 'Tool Shadowing'
  | 'Data Exfiltration'
  | 'Sensitive Data Access'
  | 'Hidden Text'
  | 'Malicious Purpose'
  | 'Suspicious Words';

export interface DescriptionFinding {
  /** Of the public scheme: E001 injection, E002 another tool, W001 words, W021 hidden characters. */
  code: 'E001' | 'E002' | 'W001' | 'W021';
  category: DescriptionCategory;
  severity: 'high' | 'medium' | 'low';
  /** What it says, for people. */
  explanation: string;
  /** The words that show it, at most 200 characters, as they read once decoded. */
  quote: string;
  /** How the text was hidden, where it was. */
  hiddenAs?: string;
}
