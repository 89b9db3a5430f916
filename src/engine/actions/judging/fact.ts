/** A fact as found: how sure, and the sentence that says it. */
export interface Fact {
  confidence: number;
  reason: string;
}

export const yes = (confidence: number, reason: string): Fact => ({ confidence, reason });
export const quote = (text: string) => `"${text.length > 120 ? `${text.slice(0, 117)}…` : text}"`;

/** Evidence that is mentioned, and blocks nothing. */
export const unsure = 0.4;
