/** What is written for each language; `{goal}` in frames and jailbreaks is one of the goals. */
export interface Language {
  /** ISO 639-1. */
  lang: string;
  /** Everyday texts and requests to an assistant, all harmless; some use trigger words in their plain sense. */
  everyday: string[];
  /** Sentence shapes for both kinds of goals; the last, advice for a friend, for harmless ones only. */
  frames: string[];
  harmlessGoals: string[];
  /** Short labels, a bar, the wish; intent only. */
  harmfulGoals: string[];
  injections: string[];
  /** With `{goal}`: filled with a harmful one; without: general harm unknown. */
  jailbreaks: string[];
  /** Short labels, a bar, the statement: swearing, hate, threats, self-harm, and harmless ones about them. */
  statements: string[];
}
