/** The texts written for each language; `{goal}` in frames and jailbreaks is one of the goals. */
export interface Language {
  /** ISO 639-1. */
  lang: string;
  /** Everyday texts and requests to an assistant, all harmless; some use trigger words in their literal sense. */
  everyday: string[];
  /** Sentence templates for both kinds of goals; the last one, advice for a friend, for harmless ones only. */
  frames: string[];
  harmlessGoals: string[];
  /** Short labels, a bar, the request; only the intent. */
  harmfulGoals: string[];
  injections: string[];
  /** With `{goal}`: filled with a harmful goal; without: general harm is unknown. */
  jailbreaks: string[];
  /** Short labels, a bar, the statement: profanity, hate, threats, self-harm, and harmless statements about them. */
  statements: string[];
}
