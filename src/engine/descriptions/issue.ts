import type { Category } from './signs.ts';

/** A code of the issues that scanners of MCP servers share: E errors, W warnings. */
export type IssueCode = 'E001' | 'E002' | 'W001' | 'W021' | 'W025';

export interface DescriptionIssue {
  code: IssueCode;
  category: Category;
  /** 0 to 1; from 0.5 on a verdict. */
  score: number;
  field: string;
  /** The words themselves, shortened, hidden characters made visible. */
  quote: string;
  /** A sentence for people. */
  says: string;
}

export const most = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}…` : text;

/** Characters that no reader sees, spelled as their codes. */
export const visible = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(
    // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- that is what is made visible.
    /[\u{E0000}-\u{E01EF}\u200B-\u200F\u2060-\u2064\uFEFF\u202A-\u202E\u2066-\u2069\u0000-\u001F\u007F-\u009F]/gu,
    (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  );
