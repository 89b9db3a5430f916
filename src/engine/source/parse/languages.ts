import type { Language } from '../rules/rule.ts';
import type { Grammar } from './grammars.ts';

/** Languages as rules name them. */
export const languageOf: Readonly<Record<Grammar, Language>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  python: 'python',
  go: 'go',
  java: 'java',
  rust: 'rust',
};
